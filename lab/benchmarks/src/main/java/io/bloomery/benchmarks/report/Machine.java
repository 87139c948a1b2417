package io.bloomery.benchmarks.report;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The machine on which figures were measured, as far as it can be determined.
 *
 * @param memory in bytes
 * @param caches bytes by level, in ascending order, without instruction caches
 * @param flags the options of the JVM, without properties
 */
record Machine(
    String processor,
    int cores,
    long memory,
    Map<String, Long> caches,
    String system,
    String jvm,
    List<String> flags) {

  private static final Path CACHES = Path.of("/sys/devices/system/cpu/cpu0/cache");

  Machine {
    caches = Collections.unmodifiableMap(new LinkedHashMap<>(caches));
    flags = List.copyOf(flags);
  }

  static Machine here() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return new Machine(
        processorName(),
        system.getAvailableProcessors(),
        system.getTotalMemorySize(),
        cachesOfACore(),
        "%s %s %s".formatted(system.getName(), release(system.getVersion()), system.getArch()),
        System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(flag -> !flag.startsWith("-D"))
            .toList());
  }

  // 6.1 of 6.1.0-18-cloud-amd64: the rest is specific to the machine.
  private static String release(String version) {
    return version.replaceFirst("^(\\d+\\.\\d+).*", "$1");
  }

  private static String processorName() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown");
    } catch (IOException e) {
      return "unknown";
    }
  }

  private static Map<String, Long> cachesOfACore() {
    Map<String, Long> caches = new LinkedHashMap<>();
    try {
      for (int i = 0; Files.exists(CACHES.resolve("index" + i)); i++) {
        Path cache = CACHES.resolve("index" + i);
        String type = Files.readString(cache.resolve("type")).strip();
        if (!type.equals("Instruction")) {
          String name = "L" + Files.readString(cache.resolve("level")).strip();
          caches.put(name, bytes(Files.readString(cache.resolve("size")).strip()));
        }
      }
    } catch (IOException e) {
      return Map.of();
    }
    return caches;
  }

  // Linux reports sizes such as 1024K.
  private static long bytes(String size) {
    return Long.parseLong(size.substring(0, size.length() - 1)) << (size.endsWith("M") ? 20 : 10);
  }

  /** Returns the name of the processor without marks and words that every name has. */
  String name() {
    return processor
        .replaceAll("\\((R|TM)\\)| CPU| Processor|@.*", "")
        .strip()
        .replaceAll(" +", " ");
  }

  /** Returns everything except the JVM. */
  String hardware() {
    String levels =
        caches.entrySet().stream()
            .map(cache -> cache.getKey() + " " + size(cache.getValue()))
            .collect(Collectors.joining(", "));
    return "%s, %d cores, %d GiB of memory%s; %s"
        .formatted(
            processor,
            cores,
            Math.round(memory / (double) (1 << 30)),
            levels.isEmpty() ? "" : ", " + levels,
            system);
  }

  private static String size(long bytes) {
    return bytes >= 1 << 20 ? (bytes >> 20) + " MiB" : (bytes >> 10) + " KiB";
  }

  /** Returns everything as one sentence. */
  String sentence() {
    return hardware() + "; " + jvm;
  }
}
