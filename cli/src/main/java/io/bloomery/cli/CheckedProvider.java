package io.bloomery.cli;

import io.bloomery.Bloomery;
import io.bloomery.Filter;
import io.bloomery.FilterLimits;
import io.bloomery.FilterPlan;
import io.bloomery.FilterProvider;
import io.bloomery.FilterSpec;
import io.bloomery.FilterView;
import io.bloomery.PayloadInput;
import io.bloomery.ThreadMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** A provider that looks at the spec of a filter before it reads or maps the filter's content. */
final class CheckedProvider implements FilterProvider {

  /** Refuses filters. */
  interface Check {

    /**
     * Looks at what a file says of itself.
     *
     * @throws Failure if it is not to be read
     */
    void accept(FilterSpec spec, FilterProvider provider) throws Failure;
  }

  /**
   * Opens a saved filter in one way or another.
   *
   * @param <X> what that may throw beside IOException
   */
  interface Opener<T, X extends Exception> {

    /** Opens it with providers that look at it first. */
    T open(Bloomery checked) throws IOException, X;
  }

  /** A refusal on its way through the library. */
  private static final class Refused extends IOException {

    private static final long serialVersionUID = 1;

    Refused(Failure failure) {
      super(failure);
    }
  }

  private final FilterProvider provider;
  private final Check check;

  private CheckedProvider(FilterProvider provider, Check check) {
    this.provider = provider;
    this.check = check;
  }

  /**
   * Opens a saved filter, unless {@code check} refuses it.
   *
   * @throws Failure if it is refused, or the file cannot be read or is damaged
   */
  static <T, X extends Exception> T open(
      Bloomery bloomery, Path path, Check check, Opener<T, X> opener) throws Failure, X {
    FilterProvider[] checked = bloomery.providers().toArray(new FilterProvider[0]);
    for (int i = 0; i < checked.length; i++) {
      checked[i] = new CheckedProvider(checked[i], check);
    }
    try {
      return opener.open(Bloomery.with(checked));
    } catch (Refused e) {
      throw (Failure) e.getCause();
    } catch (IOException e) {
      throw Failure.reading(path, e);
    }
  }

  private void look(FilterSpec spec) throws Refused {
    try {
      check.accept(spec, provider);
    } catch (Failure e) {
      throw new Refused(e);
    }
  }

  @Override
  public Filter read(
      FilterSpec spec,
      Map<String, Long> layout,
      PayloadInput in,
      ThreadMode mode,
      FilterLimits limits)
      throws IOException {
    look(spec);
    return provider.read(spec, layout, in, mode, limits);
  }

  @Override
  public FilterView map(FilterSpec spec, Map<String, Long> layout, PayloadInput in)
      throws IOException {
    look(spec);
    return provider.map(spec, layout, in);
  }

  @Override
  public void check(FilterSpec spec, Map<String, Long> layout, PayloadInput in) throws IOException {
    provider.check(spec, layout, in);
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
}
