package io.bloomery.conformance.broken;

import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;

/**
 * Writes words behind the table: zeros, or the exclusive or of all words, which it checks badly.
 */
final class AppendingProvider extends PatchedProvider {

  private final long smallestTable;
  private final int words;
  private final boolean checksum;

  private AppendingProvider(long smallestTable, int words, boolean checksum) {
    this.smallestTable = smallestTable;
    this.words = words;
    this.checksum = checksum;
  }

  /** Writes more padding than planned behind tables larger than a KiB. */
  static AppendingProvider padding() {
    return new AppendingProvider(1 << 10, 600, false);
  }

  /** Writes a word of checksum behind every table. */
  static AppendingProvider checksum() {
    return new AppendingProvider(0, 1, true);
  }

  /** Returns how many words are appended to a table of so many bytes. */
  private int appended(long table) {
    return table > smallestTable ? words : 0;
  }

  private long last(long[] table) {
    long sum = 0;
    for (long word : table) {
      sum ^= word;
    }
    return checksum ? sum : 0;
  }

  @Override
  protected PatchedFilter wrap(MergeableFilter filter, ThreadMode mode) {
    return new PatchedFilter(this, filter, mode) {
      @Override
      public long payloadSize() {
        return super.payloadSize() + (long) Long.BYTES * appended(super.payloadSize());
      }

      @Override
      public void writePayload(PayloadOutput out) throws IOException {
        out.begin(payloadSize());
        long[] table = Payload.of(inner).words();
        for (long word : table) {
          out.writeLong(word);
        }
        for (int i = appended(super.payloadSize()); i > 0; i--) {
          out.writeLong(last(table));
        }
      }
    };
  }

  @Override
  public Filter read(
      FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
      throws IOException {
    PayloadInput tableOnly =
        new PatchedInput(in) {
          @Override
          public long size() {
            long table = in.size() - (long) Long.BYTES * words;
            return appended(table) == 0 ? in.size() : table;
          }

          @Override
          public long[] readLongs(long count) throws IOException {
            long[] table = in.readLongs(count);
            for (long word : in.readLongs(appended(count * Long.BYTES))) {
              if (word != last(table) && checksum) {
                throw new IllegalStateException("checksum");
              }
              if (word != last(table)) {
                throw in.malformed("padding must be zero");
              }
            }
            return table;
          }
        };
    return super.read(spec, layout, tableOnly, mode, limits);
  }
}
