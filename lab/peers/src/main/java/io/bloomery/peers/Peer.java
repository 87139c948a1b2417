package io.bloomery.peers;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.util.Objects;

/** A Bloom filter of another library, as a provider. */
abstract class Peer implements FilterProvider {

  /** The optional operations of its filters. */
  enum Kind {
    /** Put and query only. */
    PLAIN,
    /** Merging. */
    MERGING,
    /** Removal. */
    COUNTING
  }

  /**
   * The description of a peer on the page.
   *
   * @param name short and unique, for the command line
   * @param title the library and the class
   * @param artifact the coordinates with the version
   * @param hashes how a 64-bit hash is passed
   * @param sizing how a filter is created from a number of keys and a rate
   */
  record Card(String name, String title, String artifact, String hashes, String sizing) {}

  /** The size above which the formulas of all peers yield at least one bit and probe. */
  private static final int SMALL_BITS = 1_024;

  private final Card card;
  private final Kind kind;
  private final Promises promises;

  Peer(Card card, Kind kind, Promises promises) {
    this.card = card;
    this.kind = kind;
    this.promises = promises;
  }

  final Card card() {
    return card;
  }

  final Promises promises() {
    return promises;
  }

  /** Returns the planned size for a spec. */
  Shape shape(FilterSpec spec) {
    return Shape.of(spec);
  }

  /** Returns the planned rate with a number of keys. */
  double rate(FilterSpec spec, Shape shape, long keys) {
    return shape.rate(keys);
  }

  /** Returns whether the peer runs on this Java. */
  boolean runsHere() {
    return true;
  }

  /** Creates an empty table by the method of the peer. */
  abstract Table table(FilterSpec spec);

  /** Reads the result of {@link Table#bytes}. */
  abstract Table table(FilterSpec spec, byte[] bytes) throws IOException;

  @Override
  public final String variant() {
    return "peer-" + card.name();
  }

  @Override
  public final Class<? extends Filter> filterType() {
    return switch (kind) {
      case PLAIN -> PeerFilter.class;
      case MERGING -> MergingPeerFilter.class;
      case COUNTING -> CountingPeerFilter.class;
    };
  }

  /**
   * {@inheritDoc} If the formulas of the peer yield no bits or no probes, as they do for few keys
   * at a rate near 1, it creates a filter that fails in every operation, or none: such specs are
   * rejected.
   */
  @Override
  public final FilterPlan plan(FilterSpec spec) {
    Shape shape = shape(spec);
    if (shape.bits() < SMALL_BITS) {
      checkWorks(spec);
    }
    return new PeerPlan(spec, this, shape);
  }

  private void checkWorks(FilterSpec spec) {
    Table made = table(spec);
    if (made.shape().bits() < 1 || made.shape().probes() < 1) {
      throw new IllegalArgumentException(spec + " must have bits, but has " + made.shape());
    }
    try {
      made.put(1);
    } catch (IndexOutOfBoundsException e) {
      throw new IllegalArgumentException(spec + " must have bits, but has none", e);
    }
  }

  @Override
  public final Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(limits, "limits");
    try {
      PeerFilter filter = filter(spec, limits, table(spec));
      limits.check(filter.payloadSize());
      return filter;
    } catch (OutOfMemoryError e) {
      throw outOfMemory(e);
    }
  }

  final PeerFilter filter(FilterSpec spec, FilterLimits limits, Table table) {
    return switch (kind) {
      case PLAIN -> new PeerFilter(this, spec, limits, table);
      case MERGING -> new MergingPeerFilter(this, spec, limits, table);
      case COUNTING -> new CountingPeerFilter(this, spec, limits, table);
    };
  }

  /**
   * Reads the bytes of a peer. Most peers throw an IOException for invalid bytes, which is treated
   * as a rejection; all other exceptions are propagated.
   */
  @Override
  public final Filter read(
      FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
      throws IOException {
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(limits, "limits");
    byte[] bytes = FramedBytes.unpack(in);
    Table table;
    try {
      table = table(spec, bytes);
    } catch (IOException e) {
      throw in.malformed("the peer refuses it: " + e);
    } catch (OutOfMemoryError e) {
      throw outOfMemory(e);
    }
    PeerFilter filter = filter(spec, limits, table);
    if (!filter.layout().equals(layout)) {
      throw in.malformed("layout " + layout + " is not that of the content, " + filter.layout());
    }
    return filter;
  }

  // The error itself would abort the run of all rules.
  private static IllegalStateException outOfMemory(OutOfMemoryError e) {
    return new IllegalStateException("the peer threw " + e, e);
  }

  /** Returns an int for peers whose constructors take one. */
  static int asInt(long number, String what) {
    if (number > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          what + " must fit in an int, which the peer takes, but was " + number);
    }
    return (int) number;
  }
}
