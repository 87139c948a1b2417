package io.bloomery.guard;

import com.google.errorprone.annotations.CheckReturnValue;
import io.bloomery.BloomFilter;
import io.bloomery.FilterBuilder;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * A builder of {@linkplain Guard guards}. Builders do not change: each method returns a new one.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
@CheckReturnValue
@SuppressWarnings("exports") // of an annotation: whoever lacks it is not told, and needs nothing
public final class GuardBuilder<K, V> {

  private final FilterBuilder<K> filter;
  private final GuardSource<K, V> source;
  private String name = "guard";
  private AnswerLimits limits = AnswerLimits.defaults();
  private RebuildRules rules = RebuildRules.DEFAULTS;
  private boolean removes;

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
    return copy;
  }

  private GuardBuilder<K, V> rules(RebuildRules other) {
    GuardBuilder<K, V> copy = copy();
    copy.rules = other;
    return copy;
  }

  /** Sets the name that stands in messages, meters and names of threads; "guard" if not said. */
  public GuardBuilder<K, V> name(String guard) {
    if (guard.isBlank()) {
      throw new IllegalArgumentException("the name of a guard must not be blank, but was \"\"");
    }
    GuardBuilder<K, V> copy = copy();
    copy.name = guard;
    return copy;
  }

  /** Sets how much of the source's answers is remembered; {@link AnswerLimits#defaults} if not. */
  public GuardBuilder<K, V> answers(AnswerLimits answers) {
    GuardBuilder<K, V> copy = copy();
    copy.limits = Objects.requireNonNull(answers, "answers must not be null");
    return copy;
  }

  /** Rebuilds the filter so long after the last rebuild; if not said, only if need be. */
  public GuardBuilder<K, V> rebuildEvery(Duration interval) {
    Optional<Duration> every = Optional.of(AnswerLimits.positive("interval", interval));
    return rules(new RebuildRules(every, rules.pause(), rules.patience(), rules.rateFactor()));
  }

  /**
   * Rebuilds the filter when its measured rate is certainly more than so many times the planned
   * one, as when many keys were deleted; 2 if not said.
   *
   * @param factor at least 1; infinite for never
   */
  public GuardBuilder<K, V> rebuildAtRate(double factor) {
    if (!(factor >= 1)) {
      throw new IllegalArgumentException("factor must be at least 1, but was " + factor);
    }
    return rules(new RebuildRules(rules.every(), rules.pause(), rules.patience(), factor));
  }

  /**
   * Sets the shortest time between two rebuilds that nobody asked for, also after one has failed; a
   * minute if not said. {@link #rebuildEvery} may be shorter.
   */
  public GuardBuilder<K, V> pause(Duration pause) {
    AnswerLimits.positive("pause", pause);
    return rules(new RebuildRules(rules.every(), pause, rules.patience(), rules.rateFactor()));
  }

  /**
   * Sets how long a rebuild waits for a write that began before it, and for the next key of the
   * source; five minutes if not said. It is then given up.
   */
  public GuardBuilder<K, V> patience(Duration patience) {
    AnswerLimits.positive("patience", patience);
    return rules(new RebuildRules(rules.every(), rules.pause(), patience, rules.rateFactor()));
  }

  /**
   * Takes keys that {@link Guard#delete} deletes out of the filter, which must be of a variant that
   * can: {@value FilterBuilder#DEFAULT_REMOVABLE_VARIANT} if none was said.
   *
   * <p>Only where every key is written by {@link Guard#write} of this very guard: the count of a
   * key that another process wrote is not there to be taken back, and others would lose theirs. So
   * {@link Guard#created} is refused. Each write of a key counts once, and each delete takes one
   * back; what is left goes with the next rebuild.
   */
  public GuardBuilder<K, V> removeDeleted() {
    GuardBuilder<K, V> copy = copy();
    copy.removes = true;
    return copy;
  }

  /**
   * Builds the guard, which begins to fill its filter in the background.
   *
   * @throws IllegalStateException if the filter was not told how many keys to expect
   * @throws IllegalArgumentException if there can be no such filter, or its keys cannot be removed
   *     and should be
   */
  public Guard<K, V> build() {
    return build(new WriteEpochs());
  }

  /** Builds a guard over another barrier, for tests of what it is for. */
  Guard<K, V> build(WriteBarrier barrier) {
    FilterBuilder<K> shared = filter.shared();
    LongFunction<BloomFilter<K>> filters =
        removes
            ? keys -> shared.expect(keys).createRemovable()
            : keys -> shared.expect(keys).create();
    long expected = shared.plan().spec().expectedKeys();
    if (removes) {
      // Made to be refused here, and not in the background, if the variant cannot remove.
      Objects.requireNonNull(shared.expect(1).createRemovable());
    }
    return new Guard<>(name, source, limits, barrier, filters, expected, rules, removes);
  }
}
