package io.bloomery.interop;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** What tests make of foreign filters. */
final class ForeignFilters {

  private ForeignFilters() {}

  /** Returns a rate that a system makes filters of. */
  static double rate(ForeignFormat format) {
    return format == ForeignFormat.HIVE_BLOOMK || format == ForeignFormat.DRUID ? 0.05 : 0.01;
  }

  /** Returns a filter of the same header and no keys. */
  static ForeignFilter emptied(ForeignFilter filter) throws IOException {
    if (filter.format() == ForeignFormat.REDISBLOOM) {
      ByteBuffer header = ByteBuffer.wrap(filter.toBytes()).order(ByteOrder.LITTLE_ENDIAN);
      boolean scales = (header.getInt(12) & 8) == 0;
      double error = header.getDouble(20 + 24);
      return ForeignFormat.REDISBLOOM.create(
          ForeignParameters.expect(header.getLong(20 + 44), scales ? 2 * error : error)
              .expansion(scales ? header.getInt(16) : 0));
    }
    if (filter.format() == ForeignFormat.HUDI_DYNAMIC) {
      return emptied(filter.as(ForeignFormat.HADOOP_DYNAMIC)).as(ForeignFormat.HUDI_DYNAMIC);
    }
    if (filter.format() == ForeignFormat.HADOOP_DYNAMIC) {
      ByteBuffer bytes = ByteBuffer.wrap(filter.toBytes());
      byte[] first = new byte[25 + 13 + (bytes.getInt(9) + 7) / 8];
      bytes.get(0, first, 0, 25 + 13);
      ByteBuffer.wrap(first).putInt(17, 0).putInt(21, 1); // no keys in one row
      return filter.format().read(first);
    }
    ForeignFilter copy = filter.as(filter.format());
    Arrays.fill(copy.table().words, 0);
    return copy;
  }
}
