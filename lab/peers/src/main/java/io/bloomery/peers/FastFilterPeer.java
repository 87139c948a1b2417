package io.bloomery.peers;

import io.bloomery.conformance.Rule;
import io.bloomery.filter.FilterSpec;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import org.fastfilter.Filter;
import org.fastfilter.bloom.BlockedBloom;
import org.fastfilter.bloom.Bloom;
import org.fastfilter.bloom.count.CountingBloom;
import org.fastfilter.bloom.count.SuccinctCountingBloom;
import org.fastfilter.utils.Hash;

/** One of the Bloom filters of fastfilter. */
final class FastFilterPeer extends Peer {

  // By default, each filter draws a seed from a shared generator.
  private static final long SEED = 1;
  private static final int BLOCKED_PROBES = 4;

  private final Class<? extends Filter> type;
  private final boolean blocked;

  private FastFilterPeer(
      String name, Class<? extends Filter> type, boolean blocked, Kind kind, Promises promises) {
    super(
        new Card(
            name,
            "fastfilter `" + type.getSimpleName() + "`",
            Versions.coordinates("io.github.fastfilter:fastfilter", "fastfilter"),
            "as a long key, which it hashes again with its seed; `Hash.setSeed(1)` before each"
                + " filter makes the seed the same",
            "the constructor behind `construct(keys, bitsPerKey)`, which takes all keys at once;"
                + " "
                + (blocked
                    ? "bits per key from the textbook formula, rounded up, and two more because"
                        + " its documentation asks for slightly more space"
                    : "bits per key from the textbook formula")),
        kind,
        promises);
    this.type = type;
    this.blocked = blocked;
  }

  static FastFilterPeer bloom() {
    return new FastFilterPeer("fastfilter", Bloom.class, false, Kind.PLAIN, common());
  }

  static FastFilterPeer blocked() {
    return new FastFilterPeer(
        "fastfilter-blocked",
        BlockedBloom.class,
        true,
        Kind.PLAIN,
        common()
            .never(
                "takes bits per key, not a rate, and the rule measures a rate of 1e-6", Rule.R05));
  }

  static FastFilterPeer counting() {
    return new FastFilterPeer(
        "fastfilter-counting", CountingBloom.class, false, Kind.COUNTING, counts());
  }

  static FastFilterPeer succinct() {
    return new FastFilterPeer(
        "fastfilter-succinct", SuccinctCountingBloom.class, false, Kind.COUNTING, counts());
  }

  private static Promises common() {
    return Promises.all()
        .noAnswerOfPut()
        .noClear()
        .noBytes()
        .noRate("takes bits per key, not a rate")
        .noStatistics()
        .noThreads("says nothing about threads");
  }

  private static Promises counts() {
    return common()
        .never("remove returns nothing; the adapter queries before it removes", Rule.R51)
        .never("cannot count a key", Rule.R52)
        .never("throws when a counter overflows, which is not a limit on keys", Rule.R72);
  }

  @Override
  Shape shape(FilterSpec spec) {
    Shape shape = Shape.of(spec);
    return blocked ? new Shape(spec.expectedKeys() * blockedBits(spec), BLOCKED_PROBES) : shape;
  }

  private static int blockedBits(FilterSpec spec) {
    return 2 + (int) Math.ceil(Shape.bitsPerKey(spec));
  }

  @Override
  Table table(FilterSpec spec) {
    return new Remembered(bare(spec));
  }

  @Override
  Table table(FilterSpec spec, byte[] bytes) throws IOException {
    return Remembered.replay(bare(spec), bytes);
  }

  private FastFilterBare bare(FilterSpec spec) {
    return new FastFilterBare(make(spec), shape(spec));
  }

  private Filter make(FilterSpec spec) {
    int keys = asInt(spec.expectedKeys(), "expected keys");
    try {
      Constructor<? extends Filter> constructor =
          blocked
              ? type.getDeclaredConstructor(int.class, int.class)
              : type.getDeclaredConstructor(int.class, double.class, int.class);
      constructor.setAccessible(true);
      synchronized (FastFilterPeer.class) {
        Hash.setSeed(SEED);
        return blocked
            ? constructor.newInstance(keys, blockedBits(spec))
            : constructor.newInstance(keys, Shape.bitsPerKey(spec), shape(spec).probes());
      }
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException("the peer refuses " + spec + ": " + e.getCause(), e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the constructor must be there", e);
    }
  }

  private record FastFilterBare(Filter filter, Shape shape) implements Remembered.Bare {

    @Override
    public boolean put(long hash) {
      boolean absent = !filter.mayContain(hash);
      filter.add(hash);
      return absent;
    }

    @Override
    public boolean mightContain(long hash) {
      return filter.mayContain(hash);
    }

    @Override
    public void remove(long hash) {
      filter.remove(hash);
    }
  }
}
