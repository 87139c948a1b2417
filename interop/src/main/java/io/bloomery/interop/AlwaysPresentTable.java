package io.bloomery.interop;

/**
 * What Cassandra 5 leaves where a table has a {@code bloom_filter_fp_chance} of 1: a file of no
 * bytes, for which every key may be there. It counts as one bit, which is set and every key's.
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
  String words() {
    return "no bytes, so that every key may be there";
  }

  @Override
  ForeignTable copy() {
    return new AlwaysPresentTable();
  }
}
