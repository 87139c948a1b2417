package io.bloomery.cli;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/** A variant as a third party would provide it, in a jar of its own; here it is named "set". */
public class PluginVariant implements FilterProvider {

  private static final String SERVICES = "META-INF/services/" + FilterProvider.class.getName();

  private final FilterProvider provider;

  /** For ServiceLoader. */
  public PluginVariant() {
    this(SetVariant.Fault.NONE);
  }

  /** For classes that are compiled by tests. */
  protected PluginVariant(SetVariant.Fault fault) {
    this.provider = new SetVariant(fault);
  }

  /** Compiles a variant {@code set} with a fault into a new folder. */
  public static Path compile(Path folder, SetVariant.Fault fault) throws IOException {
    Plugin.writeService(folder, "acme.Acme");
    String constructor =
        "public Acme() { super(io.bloomery.cli.SetVariant.Fault." + fault.name() + "); }";
    return Plugin.compile(
        folder, "Acme", "class Acme extends io.bloomery.cli.PluginVariant { " + constructor + " }");
  }

  /** Writes a jar with this variant that names {@code provider} as its provider. */
  static void writeJar(Path jar, String provider) throws IOException {
    Path classes = Path.of("target", "test-classes", "io", "bloomery", "cli");
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out);
        Stream<Path> files = Files.list(classes)) {
      entries.putNextEntry(new JarEntry(SERVICES));
      entries.write(provider.getBytes(StandardCharsets.US_ASCII));
      for (Path file :
          (Iterable<Path>)
              files.filter(f -> f.getFileName().toString().matches("(Plugin|Set)Variant.*"))
                  ::iterator) {
        entries.putNextEntry(new JarEntry("io/bloomery/cli/" + file.getFileName()));
        Files.copy(file, entries);
      }
    }
  }

  @Override
  public String variant() {
    return provider.variant();
  }

  @Override
  public Class<? extends Filter> filterType() {
    return provider.filterType();
  }

  @Override
  public FilterPlan plan(FilterSpec spec) {
    return provider.plan(spec);
  }

  @Override
  public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
    return provider.create(spec, mode, limits);
  }

  @Override
  public Filter read(
      FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
      throws IOException {
    return provider.read(spec, layout, in, mode, limits);
  }
}
