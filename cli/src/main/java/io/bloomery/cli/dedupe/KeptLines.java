package io.bloomery.cli.dedupe;

import io.bloomery.cli.dedupe.PendingFile.Pending;
import io.bloomery.cli.input.LineBatch;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.OutputException;
import io.bloomery.cli.session.OutputFile;
import io.bloomery.cli.session.Session;
import io.bloomery.filter.FilterUnavailableException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The lines of all runs, in their file. Each batch is written beside it before its keys are put,
 * and its keys are put before its lines are printed; so a run that is ended, however it is, leaves
 * no line that a later one prints again. If the output is a regular file, it shows how much of the
 * batch has been printed, and the next run prints the rest.
 */
final class KeptLines implements AutoCloseable {
  // decisions.md#dedupe---state-writes-each-batch-twice

  private final Session session;
  private final StateFile state;
  private final String key;
  private final PendingFile pending;
  private final int[] found = new int[LineBatch.MAX_LINES];
  private final int[] fresh = new int[LineBatch.MAX_LINES];
  private final LineHashes ofBatch = new LineHashes();
  private final PrintedLines lines = new PrintedLines();
  private final PrintedLines missing = new PrintedLines(); // of an earlier run, to be printed first
  private final Lock turn = new ReentrantLock(); // of whoever prints a batch or seals the filter
  private final Thread atExit = new Thread(this::sealAtExit, "bloomery-state");
  private boolean isSealed;

  private KeptLines(Session session, StateFile state, String key) {
    this.session = session;
    this.state = state;
    this.key = key;
    this.pending = new PendingFile(state.path());
  }

  /**
   * Takes up what an earlier run has left.
   *
   * @param state closed with this, also if this call throws
   * @throws Failure if the output goes to the filter, or what was left cannot be read or printed
   */
  static KeptLines of(Session session, StateFile state) throws Failure, IOException {
    KeptLines kept =
        new KeptLines(session, state, OutputFile.of(state.path()).map(OutputFile::key).orElse(""));
    boolean isReady = false;
    try {
      kept.checkOutput();
      Optional<Pending> left = kept.pending.read();
      if (left.isPresent()) {
        kept.takeUp(left.get());
      }
      Runtime.getRuntime().addShutdownHook(kept.atExit);
      isReady = true;
      return kept;
    } finally {
      if (!isReady) {
        state.close();
      }
    }
  }

  private void checkOutput() throws Failure {
    if (output().filter(file -> file.key().equals(key)).isPresent()) {
      throw Failure.usage("the output must not go to the file of --state; send it to another");
    }
  }

  private Optional<OutputFile> output() {
    return session.out().file();
  }

  private void takeUp(Pending left) throws Failure, IOException {
    if (!left.filter().equals(key)) {
      pending.clear();
      warnOfLoss(left.lines().count(), "since its filter was replaced or moved");
      return;
    }
    put(left.lines(), 0);
    byte[] bytes = left.lines().bytes();
    Optional<Integer> arrived = left.output().flatMap(file -> file.appended(bytes));
    if (arrived.isEmpty()) {
      pending.clear();
      warnOfLoss(left.lines().count(), "since its output, or what has become of it, cannot tell");
      return;
    }
    missing.addMissing(left.lines(), arrived.get());
    if (missing.count() > 0) {
      session.say(
          "%,d lines are printed now that an earlier run was ended before it printed them",
          missing.count());
    }
    if (output().map(OutputFile::key).equals(left.output().map(OutputFile::key))) {
      // The first of them may be there in part.
      int from = arrived.get();
      write(out -> out.write(bytes, from, bytes.length - from), missing.count(), true);
      missing.clear();
    }
    if (missing.count() == 0) {
      pending.clear();
    }
  }

  private void warnOfLoss(int count, String reason) {
    session.warnOfLoss(
        "an earlier run was ended while it printed %,d lines; those that did not arrive are not"
            + " printed again, %s",
        count, reason);
  }

  /** Prints the lines of a batch that no run has printed, and returns how many they are. */
  int print(LineBatch batch) throws Failure, IOException {
    turn.lock();
    try {
      return printNow(batch);
    } finally {
      turn.unlock();
    }
  }

  private int printNow(LineBatch batch) throws Failure, IOException {
    int printed = 0;
    int from = 0;
    do { // once for a header without lines
      int to = from + (int) Math.min(together(), batch.size() - from);
      printed += printNow(batch, from, to);
      from = to;
    } while (from < batch.size());
    return printed;
  }

  private int printNow(LineBatch batch, int from, int to) throws Failure, IOException {
    int count = fresh(batch, from, to);
    boolean isHeaded =
        from == 0 && batch.hasHeader() && output().map(OutputFile::size).orElse(0L) == 0;
    lines.clear();
    if (isHeaded) {
      lines.addHeader(batch);
    }
    int known = 0;
    if (isHeaded || count > 0) {
      lines.addMissing(missing, 0);
      missing.clear();
      known = lines.count();
      lines.add(batch, fresh, count);
    }
    print(known);
    return count;
  }

  private int fresh(LineBatch batch, int from, int to) throws Failure {
    int hits = select(batch, from, to);
    int count = 0;
    int hit = 0;
    ofBatch.clear();
    for (int i = from; i < to; i++) {
      if (hit < hits && found[hit] == i) {
        hit++;
      } else if (ofBatch.add(batch.hashes()[i])) {
        fresh[count++] = i;
      }
    }
    return count;
  }

  private long together() throws Failure {
    try {
      return state.together();
    } catch (FilterUnavailableException | UncheckedIOException e) {
      throw unavailable(e);
    }
  }

  private int select(LineBatch batch, int from, int to) throws Failure {
    try {
      int hits = state.select(batch.hashes(), from, to, found);
      for (int i = 0; i < hits; i++) {
        state.renew(batch.hashes()[found[i]]);
      }
      return hits;
    } catch (FilterUnavailableException | UncheckedIOException e) {
      throw unavailable(e);
    }
  }

  private void put(PrintedLines added, int from) throws Failure {
    try {
      state.put(added.hashes(), from, added.count());
    } catch (FilterUnavailableException | UncheckedIOException e) {
      throw unavailable(e);
    }
  }

  private Failure unavailable(RuntimeException e) {
    return Failure.file(state.path().toString(), e.getMessage());
  }

  /**
   * Prints the lines.
   *
   * @param known how many of them have been put
   */
  private void print(int known) throws Failure, IOException {
    if (lines.size() == 0) {
      return;
    }
    Optional<OutputFile> output = output();
    pending.write(new Pending(key, output, lines));
    put(lines, known);
    write(lines::printTo, lines.count(), output.isPresent());
    pending.clear();
  }

  private interface Write {
    void to(OutputStream out) throws IOException;
  }

  private void write(Write write, int count, boolean isFile) throws Failure, IOException {
    try {
      write.to(session.out());
      session.out().flush();
    } catch (OutputException e) {
      Failure failure = Failure.of(e);
      if (isFile) {
        throw failure.with(
            ", and run this again, which prints first what is missing of " + count + " lines");
      }
      pending.clear();
      throw failure.with(
          (failure.detail().isEmpty() ? "the reader of the output stopped" : "")
              + "; of the last "
              + count
              + " lines and those that wait in a pipe, those that it did not read are not printed"
              + " again: have it read all, or print to a file");
    }
  }

  /** Prints what is missing of an earlier run if no line came before which it would have been. */
  void finish() throws Failure, IOException {
    turn.lock();
    try {
      lines.clear();
      lines.addMissing(missing, 0);
      missing.clear();
      print(lines.count());
    } finally {
      turn.unlock();
    }
  }

  /**
   * Seals the filter.
   *
   * @throws Failure if it cannot be sealed; no line is lost
   */
  @Override
  public void close() throws Failure {
    turn.lock();
    try {
      seal();
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      // The JVM is shutting down, and the hook will find that nothing is left to do.
    } catch (IOException e) {
      throw Failure.input(
          state.path().toString(), e, Failure.reason(e) + "; no line is lost, so run this again");
    } finally {
      turn.unlock();
    }
  }

  /** Seals the filter between two batches when a signal such as that of Ctrl-C ends the JVM. */
  private void sealAtExit() {
    try {
      // A write may wait for ever for the reader of a pipe.
      if (turn.tryLock(1, TimeUnit.SECONDS)) { // and never unlocked, so that no batch follows
        seal();
      }
    } catch (IOException | InterruptedException e) {
      // The file stays open, as after a kill, and the next run seals it.
    }
  }

  private void seal() throws IOException {
    if (isSealed) {
      return;
    }
    isSealed = true;
    try (state) {
      pending.close(); // as long as no other run has the filter
    }
  }
}
