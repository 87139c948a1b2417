package io.bloomery.window;

import io.bloomery.file.LivePart;
import io.bloomery.internal.file.MappingFaults;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A generation in a live file. */
final class LiveGeneration extends Generation {

  final LiveTable table;

  LiveGeneration(LiveTable table, LiveTable.Counts counts) {
    super(table.part(), counts.taken(), counts.unknown());
    this.table = table;
  }

  private LivePart part() {
    return table.part();
  }

  @Override
  boolean put(long hash) {
    return part().put(hash);
  }

  /** Its bits are set before it is counted, so that no count is ahead of a killed process. */
  @Override
  void count(boolean isUnknown) {
    super.count(isUnknown);
    try {
      MappingFaults.write(part().path(), this::countInFile);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean countInFile() throws IOException {
    table.count(taken, unknown);
    boolean isFirst = !table.hasForced();
    if (isFirst) {
      force();
    }
    return isFirst;
  }

  /** Forces all that was put to the disk. */
  void force() throws IOException {
    table.force(new LiveTable.Counts(taken, unknown));
  }

  @Override
  Generation cleared() {
    try {
      MappingFaults.write(
          part().path(),
          () -> {
            table.clear();
            return table;
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new LiveGeneration(table, LiveTable.Counts.NONE);
  }
}
