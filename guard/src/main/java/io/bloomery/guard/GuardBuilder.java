package io.bloomery.guard;

import com.google.errorprone.annotations.CheckReturnValue;
import io.bloomery.FilterBuilder;
import io.bloomery.file.FilterHeader;
import io.bloomery.filter.FilterSpec;
import io.bloomery.hash.KeyHasher;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * A builder of {@linkplain Guard guards}. Immutable: each method returns a new builder.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
@CheckReturnValue
@SuppressWarnings("exports") // of an annotation, which may be missing at compile and run time
public final class GuardBuilder<K, V> {

  private final FilterBuilder<K> filter;
  private final GuardSource<K, V> source;
  private String name = "guard";
  private AnswerLimits limits = AnswerLimits.defaults();
  private RebuildRules rules = RebuildRules.DEFAULTS;
  private boolean removes;
  private Optional<Path> folder = Optional.empty();

  GuardBuilder(FilterBuilder<K> filter, GuardSource<K, V> source) {
    this.filter = Objects.requireNonNull(filter, "filter must not be null");
    this.source = Objects.requireNonNull(source, "source must not be null");
  }

  private GuardBuilder<K, V> copy() {
    GuardBuilder<K, V> copy = new GuardBuilder<>(filter, source);
    copy.name = name;
    copy.limits = limits;
    copy.rules = rules;
    copy.removes = removes;
    copy.folder = folder;
    return copy;
  }

  private GuardBuilder<K, V> rules(RebuildRules other) {
    GuardBuilder<K, V> copy = copy();
    copy.rules = other;
    return copy;
  }

  /** Sets the name used in messages, meters and thread names; by default "guard". */
  public GuardBuilder<K, V> name(String guard) {
    if (Objects.requireNonNull(guard, "name must not be null").isBlank()) {
      throw new IllegalArgumentException("the name of a guard must not be blank, but was \"\"");
    }
    GuardBuilder<K, V> copy = copy();
    copy.name = guard;
    return copy;
  }

  /** Sets the limits of the caches and of loads; by default {@link AnswerLimits#defaults}. */
  public GuardBuilder<K, V> answers(AnswerLimits answers) {
    GuardBuilder<K, V> copy = copy();
    copy.limits = Objects.requireNonNull(answers, "answers must not be null");
    return copy;
  }

  /** Sets the interval between scheduled rebuilds; by default rebuilds occur only when needed. */
  public GuardBuilder<K, V> rebuildEvery(Duration interval) {
    Optional<Duration> every = Optional.of(AnswerLimits.positive("interval", interval));
    return rules(new RebuildRules(every, rules.pause(), rules.patience(), rules.rateFactor()));
  }

  /**
   * Sets the ratio of the measured to the planned rate at which the filter is rebuilt, once the
   * excess is statistically certain, as after many deletions; by default 2.
   *
   * @param factor at least 1; infinite for no such rebuilds
   */
  public GuardBuilder<K, V> rebuildAtRate(double factor) {
    if (!(factor >= 1)) {
      throw new IllegalArgumentException("factor must be at least 1, but was " + factor);
    }
    return rules(new RebuildRules(rules.every(), rules.pause(), rules.patience(), factor));
  }

  /**
   * Sets the minimum time between two rebuilds that were not requested, also after a failure; by
   * default a minute. The interval of {@link #rebuildEvery} takes its place if that is shorter.
   */
  public GuardBuilder<K, V> pause(Duration pause) {
    Duration checked = AnswerLimits.positive("pause", pause);
    return rules(new RebuildRules(rules.every(), checked, rules.patience(), rules.rateFactor()));
  }

  /**
   * Sets the time after which a rebuild that waits for an earlier write, or for the next key of the
   * source, is abandoned; by default five minutes.
   */
  public GuardBuilder<K, V> patience(Duration patience) {
    Duration checked = AnswerLimits.positive("patience", patience);
    return rules(new RebuildRules(rules.every(), rules.pause(), checked, rules.rateFactor()));
  }

  /**
   * Removes keys deleted by {@link Guard#delete} from the filter, whose variant must support
   * removal; by default {@value FilterBuilder#DEFAULT_REMOVABLE_VARIANT}.
   *
   * <p>Use it only if every key is written by {@link Guard#write} of this instance: a delete of a
   * key that another process wrote would decrement counts of other keys, and cause false negatives.
   * For this reason {@link Guard#created} then throws. Each write of a key counts once, and each
   * delete removes one count; remaining counts are dropped by the next rebuild.
   */
  public GuardBuilder<K, V> removeDeleted() {
    GuardBuilder<K, V> copy = copy();
    copy.removes = true;
    return copy;
  }

  /**
   * Keeps the filter in a folder, as a {@linkplain io.bloomery.LiveBloomFilter live filter}, so
   * that a guard that is started again serves from it at once, whatever ended its process, and
   * rebuilds it meanwhile. The variant must be one that lives in a file, and there must be room for
   * two filters. The folder is made if there is none; nothing else should be in it.
   *
   * <p>Use it only if keys that others write while no guard has the folder open, or that are then
   * reported to nobody, may be reported as absent until that rebuild has completed: without a
   * folder, the source decides until then. The folder belongs to one guard of one source: a second
   * one is refused while it is open. Remove the folder if a run without it wrote keys, and never
   * bring back an old copy.
   *
   * <p>A filter that cannot be used, since it is of other keys, is cut or has a damaged header, or
   * may have lost keys with the power, is replaced: the log has the reason. Its bits are not read,
   * so that damage to them is not noticed.
   */
  public GuardBuilder<K, V> liveIn(Path place) {
    GuardBuilder<K, V> copy = copy();
    copy.folder = Optional.of(Objects.requireNonNull(place, "folder must not be null"));
    return copy;
  }

  /**
   * Creates the guard, which begins to fill its filter in the background.
   *
   * @throws IllegalArgumentException if no such filter is possible, or if it should support removal
   *     or {@linkplain #liveIn live in a folder}, and does not
   * @throws UncheckedIOException if the folder that it should live in cannot be used, or another
   *     guard has it open
   */
  public Guard<K, V> build() {
    return build(new WriteEpochs());
  }

  /** Creates a guard over another barrier, for tests of the barrier's purpose. */
  Guard<K, V> build(WriteBarrier barrier) {
    FilterBuilder<K> shared = filter.shared();
    FilterSpec spec = shared.plan().spec();
    // Of a small filter: that is also where a variant without removal fails, and not later.
    FilterBuilder<K> small = shared.expect(1).maxBytes(Long.MAX_VALUE);
    KeyHasher<? super K> hasher = (removes ? small.createRemovable() : small.create()).hasher();
    GuardLog log = new GuardLog(name);
    NextFilter<K> filters = new NextFilter<>(store(small, log), shared, spec, removes, log);
    return new Guard<>(name, source, limits, barrier, filters, log, rules, hasher::hash, removes);
  }

  private FilterStore<K> store(FilterBuilder<K> small, GuardLog log) {
    if (folder.isEmpty()) {
      return FilterStore.heap();
    }
    if (removes) {
      throw new IllegalArgumentException(
          "a filter that lives in a folder removes no keys; leave out removeDeleted() or liveIn()");
    }
    FilterHeader unused = small.liveHeader(); // throws if the variant does not live in a file
    try {
      return FilterFolder.open(folder.get(), filter.shared().filters(), log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
