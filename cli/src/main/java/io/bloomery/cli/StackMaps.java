package io.bloomery.cli;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/**
 * Gives picocli's class files, which are for Java 5, the stack maps of Java 8 when the jar is
 * built: without them no archive of classes takes them.
 */
// decisions.md#the-command-starts-from-an-archive-of-classes-that-it-makes-in-the-users-cache
final class StackMaps {

  private StackMaps() {}

  /**
   * Copies a jar.
   *
   * @param arguments the jar, and the one to write
   */
  public static void main(String[] arguments) throws IOException {
    Path jar = Path.of(arguments[0]);
    try (ZipFile from = new ZipFile(jar.toFile());
        URLClassLoader classes = new URLClassLoader(new URL[] {jar.toUri().toURL()});
        ZipOutputStream to = new ZipOutputStream(Files.newOutputStream(Path.of(arguments[1])))) {
      for (ZipEntry entry : Collections.list(from.entries())) {
        byte[] bytes = from.getInputStream(entry).readAllBytes();
        String name = entry.getName();
        ZipEntry copy = new ZipEntry(entry);
        copy.setCompressedSize(-1);
        to.putNextEntry(copy);
        boolean isOld = name.startsWith("picocli/") && name.endsWith(".class");
        to.write(isOld ? withStackMaps(bytes, classes) : bytes);
        to.closeEntry();
      }
    }
  }

  private static byte[] withStackMaps(byte[] bytes, ClassLoader classes) {
    ClassWriter writer =
        new ClassWriter(ClassWriter.COMPUTE_FRAMES) {
          @Override
          protected ClassLoader getClassLoader() {
            return classes;
          }
        };
    ClassVisitor visitor =
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public void visit(
              int version, int access, String name, String generic, String above, String[] more) {
            super.visit(Opcodes.V1_8, access, name, generic, above, more);
          }
        };
    new ClassReader(bytes).accept(visitor, ClassReader.SKIP_FRAMES);
    return writer.toByteArray();
  }
}
