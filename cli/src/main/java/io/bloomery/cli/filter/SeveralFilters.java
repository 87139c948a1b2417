package io.bloomery.cli.filter;

import io.bloomery.cli.foreign.LineSelector;
import io.bloomery.cli.input.LineBatch;
import io.bloomery.cli.session.Failure;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/** Filters of the same keys that are asked together; a line is in them if it may be in any. */
final class SeveralFilters implements LineSelector {

  private final List<Path> files;
  private final List<LineSelector> filters;
  private final int[] hits = new int[LineBatch.MAX_LINES];
  private final BitSet[] found; // for each filter, the lines of the last batch that may be in it

  SeveralFilters(List<Path> files, List<LineSelector> filters) {
    this.files = files;
    this.filters = filters;
    this.found = new BitSet[files.size()];
  }

  @Override
  public int select(LineBatch batch, int[] selected) throws Failure {
    BitSet any = new BitSet();
    for (int filter = 0; filter < found.length; filter++) {
      found[filter] = new BitSet();
      int size = filters.get(filter).select(batch, hits);
      for (int i = 0; i < size; i++) {
        found[filter].set(hits[i]);
      }
      any.or(found[filter]);
    }
    int count = 0;
    for (int i = any.nextSetBit(0); i >= 0; i = any.nextSetBit(i + 1)) {
      selected[count++] = i;
    }
    return count;
  }

  /** Returns the files of the filters that a line of the last batch may be in. */
  List<String> filesOf(int line) {
    return IntStream.range(0, found.length)
        .filter(filter -> found[filter].get(line))
        .mapToObj(filter -> files.get(filter).toString())
        .toList();
  }
}
