package io.bloomery.conformance.broken;

import static io.bloomery.conformance.broken.Broken.fault;

import io.bloomery.conformance.Rule;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.PayloadOutput;
import java.io.IOException;
import java.util.List;

/** Faults in growing. */
public final class BrokenGrowth {

  private BrokenGrowth() {}

  public static List<Broken> all() {
    return List.of(
        fault(
            Rule.R59,
            "every layer has the same rate",
            new GrowingReference.Provider(GrowingReference::new, 1)),
        fault(
            Rule.R59,
            "layers after the fifth have its rate",
            new GrowingReference.Provider(GrowingReference::new, 0.5, 4)),
        fault(Rule.R22, "says that it grows once it has grown", growing(SaysLate::new)),
        fault(Rule.R14, "tells the highest rate of its layers", growing(TellsHighest::new)),
        fault(Rule.R62, "some keys of two threads are counted twice", growing(CountsTwice::new)),
        fault(
            Rule.R60,
            "queries leave out the oldest of eight layers",
            GrowthFault.QUERY_LEAVES_OUT_A_LAYER.from(8)),
        fault(
            Rule.R61,
            "large filters grow by repetition",
            growing(shape -> new GrowsByRepetition(shape, 3_000, 6))),
        fault(Rule.R62, "two threads grow a larger filter at once", growing(GrowsAtOnce::new)),
        fault(
            Rule.R63,
            "copies of eight layers share the newest",
            GrowthFault.COPY_SHARES_THE_NEWEST.from(8)),
        fault(
            Rule.R61,
            "grows after 50,000 repeated hashes",
            growing(shape -> new GrowsByRepetition(shape, 50_000, 1))),
        fault(Rule.R73, "grows from some layers, for a moment", growing(ShowsSome::new)),
        fault(Rule.R63, "copies forget the oldest layer", growing(CopiesNewest::new)),
        fault(Rule.R63, "writes the newest layer only", growing(WritesNewest::new)));
  }

  private static GrowingReference.Provider growing(GrowingReference.Constructor constructor) {
    return new GrowingReference.Provider(constructor);
  }

  private static final class SaysLate extends GrowingReference {
    SaysLate(Shape shape) {
      super(shape);
    }

    @Override
    public synchronized FilterStats stats() {
      FilterStats all = super.stats();
      return layers().size() > 1
          ? all
          : FilterStats.of(spec())
              .sizeInBits(all.sizeInBits())
              .setBits(all.setBits())
              .falsePositiveRate(all.falsePositiveRate())
              .approximateKeys(all.approximateKeys())
              .build();
    }
  }

  private static final class TellsHighest extends GrowingReference {
    TellsHighest(Shape shape) {
      super(shape);
    }

    @Override
    public synchronized FilterStats stats() {
      double highest = 0;
      for (Layer layer : layers()) {
        highest = Math.max(highest, layer.filter().stats().falsePositiveRate());
      }
      return super.stats().toBuilder().falsePositiveRate(highest).build();
    }
  }

  /** Counts a key of one thread once more where another thread put the last one. */
  private static final class CountsTwice extends GrowingReference {
    private Thread last = Thread.currentThread();

    CountsTwice(Shape shape) {
      super(shape);
    }

    @Override
    public synchronized boolean put(long hash) {
      boolean isNew = super.put(hash);
      Thread now = Thread.currentThread();
      if (isNew && !now.equals(last) && isFull()) {
        Layer newest = layers().get(layers().size() - 1);
        replaceNewest(new Layer(newest.filter(), newest.keys() + 1));
      }
      last = now;
      return isNew;
    }
  }

  private static final class GrowsAtOnce extends GrowingReference {
    private final Gap gap = new Gap();

    GrowsAtOnce(Shape shape) {
      super(shape);
    }

    @Override
    public boolean put(long hash) {
      if (spec().expectedKeys() >= 50 && isFull() && !mightContain(hash)) {
        List<Layer> seen = layers();
        gap.letOtherThreadChange(this, this::layers);
        growFrom(seen);
      }
      return super.put(hash);
    }
  }

  private static final class GrowsByRepetition extends GrowingReference {
    private final int every;
    private final int minLayers;
    private int repeated;

    GrowsByRepetition(Shape shape, int every, int minLayers) {
      super(shape);
      this.every = every;
      this.minLayers = minLayers;
    }

    @Override
    void repeated() {
      repeated++;
      if (repeated % every == 0 && layers().size() >= minLayers) {
        grow();
      }
    }
  }

  /** Queries see the newer layers alone until it has grown. */
  private static final class ShowsSome extends GrowingReference {
    ShowsSome(Shape shape) {
      super(shape);
    }

    @Override
    public synchronized boolean put(long hash) {
      if (isFull() && !mightContain(hash)) {
        List<Layer> all = layers();
        forgetOldest();
        growFrom(all);
      }
      return super.put(hash);
    }
  }

  private static final class CopiesNewest extends GrowingReference {
    CopiesNewest(Shape shape) {
      super(shape);
    }

    @Override
    public synchronized Filter copy() {
      GrowingReference copy = (GrowingReference) super.copy();
      copy.forgetOldest();
      return copy;
    }
  }

  private static final class WritesNewest extends GrowingReference {
    WritesNewest(Shape shape) {
      super(shape);
    }

    @Override
    public synchronized long payloadSize() {
      return Payload.of(this).size();
    }

    @Override
    public synchronized void writePayload(PayloadOutput out) throws IOException {
      write(layers().subList(layers().size() - 1, layers().size()), out);
    }
  }
}
