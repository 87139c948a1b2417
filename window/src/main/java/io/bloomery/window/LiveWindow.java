package io.bloomery.window;

import io.bloomery.file.FilterFiles;
import io.bloomery.file.FilterLockedException;
import io.bloomery.file.LivePart;
import io.bloomery.file.UnexpectedFilterException;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.internal.file.BootNumber;
import io.bloomery.internal.file.LiveControl;
import io.bloomery.internal.file.LiveFile;
import io.bloomery.internal.file.MappingFaults;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The file of a window that lives in it, open for writing. {@code docs/window.md} has its promises.
 *
 * <p>A generation is forgotten in three steps, each of which is on the disk before the next: the
 * slot says that no generation has its table; the table is cleared; the slot says that the youngest
 * has it. So a crash leaves a table that is remembered as it was, or one that is cleared when the
 * window is opened again. Before the first step all that was put is forced, so that the counts of a
 * generation that is closed are those of its table.
 */
final class LiveWindow implements Durability {

  /** Maps a filter of a live file. */
  interface Mapper {

    /**
     * Maps a filter, confined: what changes it holds the lock of the window's changes.
     *
     * @param wasOpen whether its checksums are not made
     */
    LivePart map(Path path, FileChannel channel, long from, long length, boolean wasOpen)
        throws IOException;
  }

  private final LiveFile live;
  private final WindowClock clock;
  private final List<LiveTable> tables;
  private final boolean isByTime;
  private final long boot = BootNumber.current();
  private LiveSlot slot;
  private volatile boolean isClosed;

  private LiveWindow(
      LiveFile live, WindowClock clock, List<LiveTable> tables, boolean isByTime, LiveSlot slot) {
    this.live = live;
    this.clock = clock;
    this.tables = tables;
    this.isByTime = isByTime;
    this.slot = slot;
  }

  /** Opens the file of a live window for writing, and then its window. */
  static LiveSlidingFilter open(
      Path path, Duration patience, Mapper mapper, Check check, WindowClock clock)
      throws IOException {
    LiveFile live = lock(path, patience);
    boolean isOpen = false;
    try {
      LiveLayout layout = live.run(channel -> LiveLayout.read(path, channel));
      List<LiveTable> tables = live.run(channel -> tables(path, channel, layout, mapper));
      FilterSpec spec = spec(layout, tables);
      check.check(tables.get(0).part().variant(), spec, layout.extent());
      LiveWindow window =
          new LiveWindow(live, clock, tables, layout.extent().isByTime(), layout.slot());
      window.checkCounts(layout);
      live.open();
      LiveSlidingFilter opened = new LiveSlidingFilter(window.begin(layout, spec), window);
      isOpen = true;
      return opened;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } catch (UnexpectedFilterException e) {
      throw e.in(path);
    } finally {
      if (!isOpen) {
        live.close();
      }
    }
  }

  /** What a window must satisfy that is opened. */
  interface Check {

    /** Checks a window. */
    void check(String variant, FilterSpec spec, Extent extent) throws IOException;
  }

  private static LiveFile lock(Path path, Duration patience) throws IOException {
    try {
      return LiveFile.lock(path, patience);
    } catch (TimeoutException e) {
      throw new FilterLockedException(e);
    } catch (LiveControl.Malformed e) {
      throw (e.flaw() == LiveControl.Flaw.NOT_LIVE ? notLive(path, e) : LiveLayout.malformed(e))
          .in(path);
    }
  }

  /** Returns why a file is no live one: it may be saved, or a filter. */
  private static FilterFormatException notLive(Path path, LiveControl.Malformed e)
      throws IOException {
    if (SlidingFilterFiles.isWindow(path)) {
      return new FilterFormatException(
          Reason.OTHER_KIND,
          0,
          "not a live window, but a saved one, which is not changed in place: open it by open, or"
              + " make a live one by openOrCreate, under another name");
    }
    try {
      FilterFiles.inspect(path);
      return new FilterFormatException(
          Reason.OTHER_KIND, 0, "not a window, but a saved filter: open it by open of Filters");
    } catch (FilterFormatException other) {
      return LiveLayout.malformed(e);
    }
  }

  private static List<LiveTable> tables(
      Path path, FileChannel channel, LiveLayout layout, Mapper mapper) throws IOException {
    List<LiveTable> tables = new ArrayList<>();
    try {
      for (int i = 0; i < Extent.GENERATIONS; i++) {
        long at = layout.filterAt(i);
        LivePart part = part(path, channel, at, layout, mapper);
        tables.add(
            new LiveTable(i, part, channel, layout.tableAt(i), LiveTable.size(layout.length())));
        SlidingFile.checkAlike(tables.get(0).part(), part, at);
      }
    } catch (FilterFormatException e) {
      throw e.in(path);
    }
    return List.copyOf(tables);
  }

  private static LivePart part(
      Path path, FileChannel channel, long at, LiveLayout layout, Mapper mapper)
      throws IOException {
    try {
      return mapper.map(path, channel, at, layout.length(), layout.isOpen());
    } catch (FilterFormatException e) {
      throw new FilterFormatException(e.reason(), at + e.offset(), e.detail());
    }
  }

  private static FilterSpec spec(LiveLayout layout, List<LiveTable> tables) {
    FilterSpec generation = tables.get(0).part().spec();
    return FilterSpec.of(layout.keys(), layout.rate(), generation.hashId())
        .withAttributes(generation.attributes());
  }

  /** Returns whether the system was started again since the last writer, which did not close it. */
  private boolean isRestarted(LiveLayout layout) {
    return layout.isOpen() && (boot == BootNumber.UNKNOWN || boot != layout.slot().boot());
  }

  /** Returns the counts of a table that the window begins with. */
  private LiveTable.Counts counts(LiveLayout layout, LiveTable table) {
    return isRestarted(layout) ? table.forced() : layout.put().get(table.index());
  }

  /** Checks the counts that no checksum holds, before anything is changed. */
  private void checkCounts(LiveLayout layout) throws FilterFormatException {
    if (!layout.isOpen()) {
      return;
    }
    try {
      layout.checkOpened(
          slot.youngestFirst().stream()
              .map(
                  index ->
                      index == LiveSlot.NONE
                          ? LiveTable.Counts.NONE
                          : counts(layout, tables.get(index)))
              .toList());
    } catch (FilterFormatException e) {
      throw e.in(path());
    }
  }

  /** Makes the window whole if its last writer did not close it, and says that it is open. */
  private SlidingFilter begin(LiveLayout layout, FilterSpec spec) throws IOException {
    boolean isRestarted = isRestarted(layout);
    if (layout.isOpen()) {
      warn(isRestarted);
    }
    List<Integer> unused = new ArrayList<>(slot.unused());
    List<LiveGeneration> youngestFirst = new ArrayList<>();
    for (int index : slot.youngestFirst()) {
      LiveTable table = tables.get(index == LiveSlot.NONE ? unused.remove(0) : index);
      LiveTable.Counts counts = counts(layout, table);
      // Of a generation whose first key was not counted, no put has returned.
      if (index == LiveSlot.NONE
          || (layout.isOpen() && counts.taken() == 0 && table.part().stats().setBits() > 0)) {
        table.clear();
        counts = LiveTable.Counts.NONE;
      }
      LiveGeneration generation = new LiveGeneration(table, counts);
      if (layout.isOpen()) {
        generation.force();
      }
      youngestFirst.add(generation);
    }
    write(slot.isOdd(), slot.began(), youngestFirst);
    long age = isByTime ? Math.max(0, clock.wallNanos() - slot.began()) : 0;
    SlidingFilter filter =
        new SlidingFilter(
            spec, layout.extent(), List.copyOf(youngestFirst), slot.isOdd(), age, clock, this);
    filter.settled(now -> {});
    return filter;
  }

  private void warn(boolean isRestarted) {
    System.getLogger("io.bloomery.window")
        .log(
            Level.WARNING,
            "{0} was not closed by its last writer, process {1}: no key is lost that it put, or"
                + " forced if the power was lost{2}; its checksums are made when it is closed now",
            live.path(),
            Long.toString(live.control().state().process()),
            isRestarted
                ? ", and keys put after the last force do not count, so that more fit"
                : "");
  }

  @Override
  public void keep(Generations before, Generations next) {
    checkOpen();
    try {
      MappingFaults.write(
          path(),
          () -> {
            Generation youngest = before.get(0);
            if (youngest != null && next.get(0) != youngest) {
              ((LiveGeneration) youngest).force();
            }
            write(next);
            return next;
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void raise() {
    MappingFaults.raise();
  }

  @Override
  public RuntimeException fault(InternalError e) {
    return new FilterUnavailableException("the file " + path() + " " + MappingFaults.WRITTEN, e);
  }

  private void checkOpen() {
    if (isClosed) {
      throw new FilterUnavailableException(LiveFile.closed(live.path().toString()));
    }
  }

  /** Tells in the file what is remembered, and when the youngest began by the wall clock now. */
  private void write(Generations next) throws IOException {
    long age = isByTime ? Math.max(0, clock.tick() - next.began()) : 0;
    List<@Nullable Generation> youngestFirst = new ArrayList<>();
    for (int i = 0; i < Extent.GENERATIONS; i++) {
      youngestFirst.add(next.get(i));
    }
    write(next.isOdd(), isByTime ? Math.max(0, clock.wallNanos() - age) : 0, youngestFirst);
  }

  private void write(boolean isOdd, long began, List<? extends @Nullable Generation> youngestFirst)
      throws IOException {
    List<Integer> order = new ArrayList<>();
    for (Generation generation : youngestFirst) {
      order.add(generation == null ? LiveSlot.NONE : ((LiveGeneration) generation).table.index());
    }
    LiveSlot next =
        new LiveSlot(
            slot.number() + 1,
            boot,
            began,
            isOdd,
            order,
            tables.stream().map(LiveTable::clears).toList());
    live.run(
        channel -> {
          write(ByteBuffer.wrap(next.encode()), LiveLayout.SLOTS_AT + next.at(), channel);
          channel.force(true);
          return next;
        });
    slot = next;
  }

  private static void write(ByteBuffer out, long at, FileChannel channel) throws IOException {
    while (out.hasRemaining()) {
      channel.write(out, at + out.position());
    }
  }

  Path path() {
    return live.path();
  }

  /** Forces what was put to the disk, while nothing changes. */
  void force(SlidingFilter filter) throws IOException {
    checkOpen();
    settled(filter, this::force);
  }

  private void force(Generations now) throws IOException {
    for (Generation generation : now.list(0, Extent.GENERATIONS)) {
      ((LiveGeneration) generation).force();
    }
    write(now);
  }

  private void settled(SlidingFilter filter, SlidingFilter.Work work) throws IOException {
    live.checkMine();
    try {
      MappingFaults.write(
          path(),
          () -> {
            filter.settled(work);
            return filter;
          });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Seals the file, and releases it; if it cannot be sealed, it is still released. */
  synchronized void close(SlidingFilter filter) throws IOException {
    if (isClosed) {
      return;
    }
    try {
      settled(filter, this::seal);
    } finally {
      isClosed = true;
      for (LiveTable table : tables) {
        table.part().end();
        table.part().close();
      }
      live.close();
    }
  }

  private void seal(Generations now) throws IOException {
    isClosed = true;
    for (LiveTable table : tables) {
      table.part().end();
    }
    for (Generation generation : now.list(0, Extent.GENERATIONS)) {
      ((LiveGeneration) generation).force();
    }
    write(now);
    for (LiveTable table : tables) {
      table.seal();
    }
    live.run(
        channel -> {
          for (LiveTable table : tables) {
            table.part().seal(channel);
          }
          channel.force(true);
          return channel;
        });
    live.seal();
  }
}
