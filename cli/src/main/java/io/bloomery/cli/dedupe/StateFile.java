package io.bloomery.cli.dedupe;

import io.bloomery.filter.FilterSpec;
import java.io.Closeable;
import java.nio.file.Path;

/** The file of {@code --state}: what is remembered from one run to the next. */
interface StateFile extends Closeable {

  /** Returns the file, with links resolved. */
  Path path();

  /** Returns what it was made for. */
  FilterSpec spec();

  /**
   * Returns how many lines, at least one, can be looked up before the first of them is put, and be
   * answered as if each was looked up when those before it were put.
   */
  long together();

  /** Finds hashes that are remembered, as {@link io.bloomery.filter.FilterView#select} does. */
  int select(long[] hashes, int from, int to, int[] hits);

  /** Notes that a line came again. */
  void renew(long hash);

  /** Remembers {@code hashes[from]} to {@code hashes[to - 1]}. */
  void put(long[] hashes, int from, int to);

  /** Returns the probability that a new line is dropped: the highest since the last call. */
  double highestRate();

  /** Returns whether more lines were found than it is made for. */
  boolean isOverfull();
}
