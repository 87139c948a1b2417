package io.bloomery.conformance.internal.kit;

import io.bloomery.conformance.internal.cases.Case;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.VariantProvider;
import java.io.File;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;

/**
 * Another JVM, with a different locale, time zone, character set and number of processors, which
 * reports how a provider behaves there.
 */
public final class OtherJvm {

  private static final String MAX_HEAP = "-Xmx256m";

  /** What a filter may take, of which this JVM has several at a time, and their files. */
  private static final long MAX_BYTES = 8 << 20;

  private static final List<String> OTHER_SETTINGS =
      List.of(
          "-Duser.language=tr",
          "-Duser.country=TR",
          "-Duser.timezone=Asia/Kathmandu",
          "-Dfile.encoding=ISO-8859-1",
          "-XX:ActiveProcessorCount=1",
          "-XX:TieredStopAtLevel=1",
          "-Xshare:auto",
          MAX_HEAP);

  // Distinguishes answers from the log output of libraries.
  private static final String ANSWER = "> ";

  private static final int OUT_OF_MEMORY = 3;

  private OtherJvm() {}

  /** Prints the behaviour of the provider of a given class in the cases on the standard input. */
  public static void main(String[] arguments) throws ReflectiveOperationException, IOException {
    Object provider = constructor(Class.forName(arguments[0])).orElseThrow().newInstance();
    List<Case> cases = new ArrayList<>();
    ObjectInputStream in = new ObjectInputStream(System.in);
    for (int left = in.readInt(); left > 0; left--) {
      cases.add((Case) in.readObject());
    }
    try {
      digests(new Subject(BuiltOnDemand.of((VariantProvider) provider)), cases)
          .forEach(digest -> System.out.println(ANSWER + digest));
    } catch (OutOfMemoryError e) {
      Runtime.getRuntime().halt(OUT_OF_MEMORY);
    }
  }

  /**
   * Returns the constructor by which a provider can be created elsewhere, or empty if only the
   * caller can create it: its class is anonymous, or its constructor takes arguments.
   */
  public static Optional<Constructor<?>> constructor(Class<?> code) {
    if (code.isAnonymousClass()
        || code.isLocalClass()
        || code.isHidden()
        || (code.isMemberClass() && !Modifier.isStatic(code.getModifiers()))) {
      return Optional.empty();
    }
    Optional<Constructor<?>> constructor =
        Arrays.stream(code.getDeclaredConstructors())
            .filter(candidate -> candidate.getParameterCount() == 0)
            .findAny();
    constructor.ifPresent(found -> found.setAccessible(true));
    return constructor;
  }

  /**
   * Returns the digests that the other JVM prints for a class of providers.
   *
   * @throws InconclusiveError if it cannot be started, or has too little memory
   */
  public static List<String> digestsElsewhere(Class<?> provider, List<Case> cases) {
    ProcessBuilder builder = new ProcessBuilder();
    builder.command().add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    builder.command().addAll(OTHER_SETTINGS);
    builder
        .command()
        .addAll(List.of("-cp", classPath(List.of(provider, FilterProvider.class, OtherJvm.class))));
    builder.command().addAll(List.of(OtherJvm.class.getName(), provider.getName()));
    builder.redirectErrorStream(true);
    try {
      Process process = builder.start();
      try (ObjectOutputStream out = new ObjectOutputStream(process.getOutputStream())) {
        out.writeInt(cases.size());
        for (Case drawn : cases) {
          out.writeObject(drawn);
        }
      }
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      int exit = process.waitFor();
      if (exit == OUT_OF_MEMORY) {
        throw new InconclusiveError("another JVM ran out of memory, with " + MAX_HEAP);
      }
      return exit == 0 ? answers(said) : List.of("failed there with " + exit, said);
    } catch (IOException e) {
      throw new InconclusiveError("another JVM could not be started: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InconclusiveError("interrupted while waiting for another JVM");
    }
  }

  private static List<String> answers(String said) {
    return said.lines()
        .filter(line -> line.startsWith(ANSWER))
        .map(line -> line.substring(ANSWER.length()))
        .toList();
  }

  /** Returns the class path of this JVM and the places of some classes. */
  // A provider may come from a class loader of its own, as plug-ins do.
  public static String classPath(List<Class<?>> classes) {
    Set<String> places = new LinkedHashSet<>();
    places.add(System.getProperty("java.class.path", ""));
    places.add(System.getProperty("jdk.module.path", ""));
    for (Class<?> needed : classes) {
      CodeSource source = needed.getProtectionDomain().getCodeSource();
      if (source != null && source.getLocation() != null) {
        try {
          String place = Path.of(source.getLocation().toURI()).toString();
          if (!place.contains(File.pathSeparator)) {
            places.add(place);
          } else if (needed.getClassLoader() != ClassLoader.getSystemClassLoader()) {
            throw new InconclusiveError(
                "no class path can be made of "
                    + place
                    + ", which would end at '"
                    + File.pathSeparator
                    + "'; move it to a folder without one in its name");
          } // Otherwise the class path contains it by another name.
        } catch (URISyntaxException | IllegalArgumentException e) {
          throw new InconclusiveError("no class path can be made of " + source.getLocation());
        }
      }
    }
    places.remove("");
    return String.join(File.pathSeparator, places);
  }

  /** Returns digests of the behaviour of a provider in this JVM, which must be equal everywhere. */
  public static List<String> digests(Subject subject, List<Case> cases) {
    return cases.stream().map(drawn -> digest(subject, drawn)).toList();
  }

  private static String digest(Subject subject, Case drawn) {
    FilterPlan plan = subject.provider().plan(drawn.spec());
    if (Math.max(plan.heapBytes(), plan.sizeInBits() / Byte.SIZE) > MAX_BYTES) {
      return drawn + ", plan " + plan.sizeInBits() + ", and too large to be tried everywhere";
    }
    FilledFilter filled = new FilledFilter(subject, drawn);
    Filter filter = filled.filter();
    if (filter instanceof MergeableFilter mergeable) {
      try {
        mergeable.putAll(filled.partner(new long[0], drawn.put() / 4 + 1));
      } catch (FilterFullException e) {
        // The rejected operation changed nothing.
      }
    }
    byte[] written = Subject.write(filter);
    Hashes others = new Hashes(drawn.seed() + 1);
    long found = LongStream.of(others.next(1_000)).filter(filter::mightContain).count();
    return String.join(
        ", ",
        drawn.toString(),
        "plan " + plan.sizeInBits() + " bits " + plan.probes() + " probes",
        "rate " + Double.toHexString(plan.falsePositiveRate(drawn.put())),
        "layout " + filter.layout(),
        "variant " + filter.variant(),
        "set bits " + filter.stats().setBits(),
        "rate now " + Double.toHexString(filter.stats().falsePositiveRate()),
        "keys " + filter.stats().approximateKeys(),
        "found " + found,
        written.length + " bytes with checksum " + checksum(written),
        "read again " + checksum(Subject.write(subject.read(written, drawn.mode()))));
  }

  private static String checksum(byte[] bytes) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes);
    return HexFormat.of().toHexDigits(checksum.getValue());
  }
}
