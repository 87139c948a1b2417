package io.bloomery.conformance;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.Map;
import javax.crypto.SecretKey;

/** The main class of a JVM in which providers are loaded and checked. */
final class ChildMain {

  private ChildMain() {}

  /**
   * The instructions of a child, which it reads from its standard input before any provider is
   * loaded.
   *
   * @param key the key of its progress file
   * @param properties the system properties of the parent
   * @param places the places of providers that are not on the class path
   */
  record Instructions(
      File progress,
      SecretKey key,
      Map<String, String> properties,
      List<URL> places,
      ChildTask task)
      implements Serializable {}

  /** Performs the task in the instructions. */
  public static void main(String[] arguments) {
    try {
      InputStream in = System.in;
      Instructions instructions = (Instructions) new ObjectInputStream(in).readObject();
      System.setIn(InputStream.nullInputStream());
      endWith(in);
      instructions.properties().forEach(System.getProperties()::putIfAbsent);
      ProgressFile out = new ProgressFile(instructions.progress(), instructions.key());
      ClassLoader loader =
          new URLClassLoader(
              instructions.places().toArray(URL[]::new), ChildMain.class.getClassLoader());
      if (instructions.task().run(loader, out)) {
        out.write(ChildTask.Mark.DONE);
      }
    } catch (Throwable e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
    // Halts in spite of endless threads and shutdown hooks of the provider.
    Runtime.getRuntime().halt(0);
  }

  /** Ends this JVM together with its parent, which never closes this stream before. */
  private static void endWith(InputStream in) {
    startDaemon(
        () -> {
          try {
            in.transferTo(OutputStream.nullOutputStream());
          } catch (IOException e) {
            // Equivalent to the end of the stream.
          }
          Runtime.getRuntime().halt(1);
        });
  }

  static Thread startDaemon(Runnable work) {
    Thread thread = new Thread(work, "conformance child");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
