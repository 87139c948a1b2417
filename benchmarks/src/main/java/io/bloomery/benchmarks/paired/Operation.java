package io.bloomery.benchmarks.paired;

/** What is timed: an action and the keys it is done with. */
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

  /** Which keys are used. */
  public enum Share {
    /** Keys that come for the first time, while the filter is filled. */
    NEW,
    /** Keys that were put. */
    PRESENT,
    /** Keys that were not put. */
    ABSENT,
    /** One or the other, at random. */
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

  /** Returns what tables call it. */
  public String label() {
    return label;
  }

  /** Returns what is done. */
  public Action action() {
    return action;
  }

  /** Returns which keys are used. */
  public Share share() {
    return share;
  }
}
