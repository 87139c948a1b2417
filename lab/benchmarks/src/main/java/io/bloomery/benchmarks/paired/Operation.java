package io.bloomery.benchmarks.paired;

/** A timed operation: an action and the keys it is performed with. */
public enum Operation {
  PUT_FRESH("put, new key", Action.PUT, Share.NEW),
  BUILD("build, in batches", Action.PUT_BATCH, Share.NEW),
  PUT_AGAIN("put again", Action.PUT, Share.PRESENT),
  HIT("hit", Action.QUERY, Share.PRESENT),
  MISS("miss", Action.QUERY, Share.ABSENT),
  MIX("mix", Action.QUERY, Share.HALF),
  BATCH_HIT("batch hit", Action.SELECT, Share.PRESENT),
  BATCH_MISS("batch miss", Action.SELECT, Share.ABSENT),
  BATCH_MIX("batch mix", Action.SELECT, Share.HALF),
  PUT_AND_REMOVE("put and remove", Action.PUT_AND_REMOVE, Share.ABSENT);

  /** The keys used. */
  public enum Share {
    /** New keys, while the filter is filled. */
    NEW,
    /** Keys that are present. */
    PRESENT,
    /** Keys that are absent. */
    ABSENT,
    /** Present and absent keys at random. */
    HALF
  }

  private final String label;
  private final Action action;
  private final Share share;

  Operation(String label, Action action, Share share) {
    this.label = label;
    this.action = action;
    this.share = share;
  }

  /** Returns the name used in tables. */
  public String label() {
    return label;
  }

  /** Returns the action. */
  public Action action() {
    return action;
  }

  /** Returns the keys used. */
  public Share share() {
    return share;
  }
}
