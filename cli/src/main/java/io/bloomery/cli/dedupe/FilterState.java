package io.bloomery.cli.dedupe;

import io.bloomery.file.LiveFilter;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import java.io.IOException;
import java.nio.file.Path;

/** The lines of all runs, in a live filter. */
final class FilterState implements StateFile {

  private final LiveFilter filter;
  private boolean isOverfull;

  FilterState(LiveFilter filter) {
    this.filter = filter;
  }

  @Override
  public Path path() {
    return filter.path();
  }

  @Override
  public FilterSpec spec() {
    return filter.spec();
  }

  @Override
  public long together() {
    return Long.MAX_VALUE;
  }

  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    return filter.select(hashes, from, to, hits);
  }

  @Override
  public void renew(long hash) {
    // It is never forgotten.
  }

  @Override
  public void put(long[] hashes, int from, int to) {
    filter.putAll(hashes, from, to);
  }

  @Override
  public double highestRate() {
    FilterStats stats = filter.stats();
    isOverfull |= stats.isOverfull();
    // With that of equal hashes of earlier runs.
    return stats.falsePositiveRate() + FilterSpec.lowestRate(spec().expectedKeys());
  }

  /** By the last rate. */
  @Override
  public boolean isOverfull() {
    return isOverfull;
  }

  @Override
  public void close() throws IOException {
    filter.close();
  }
}
