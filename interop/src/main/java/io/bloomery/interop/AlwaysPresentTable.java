package io.bloomery.interop;

/**
 * The empty file that Cassandra 5 writes for a table with a {@code bloom_filter_fp_chance} of 1:
 * every query returns true. It counts as one set bit, the only position of every key.
 */
final class AlwaysPresentTable extends ForeignTable {

  AlwaysPresentTable() {
    super(new long[] {1}, 1);
  }

  @Override
  boolean visit(Item item, boolean put) {
    return true;
  }

  @Override
  void checkWritable(ForeignFormat format) {
    if (format != ForeignFormat.CASSANDRA_4) {
      throw new IllegalArgumentException(
          "a filter must have a table to be written as "
              + format
              + ", but the file of no bytes has none; leave the file out, as that system does");
    }
  }

  @Override
  void write(ForeignOutput out, ForeignFormat format) {}

  @Override
  long bits() {
    return 1;
  }

  @Override
  double excess(double keys, double fill) {
    return 0;
  }

  @Override
  String words() {
    return "no bytes, so that every key may be there";
  }

  @Override
  ForeignTable copy() {
    return new AlwaysPresentTable();
  }
}
