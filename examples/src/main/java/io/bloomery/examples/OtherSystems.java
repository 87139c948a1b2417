package io.bloomery.examples;

import io.bloomery.BloomFilterView;
import io.bloomery.interop.ForeignFilter;
import io.bloomery.interop.ForeignFormat;
import io.bloomery.interop.ForeignUpdate;
import io.bloomery.interop.ItemEncoding;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** What the pages show of filters of other systems, as code that a test runs. */
final class OtherSystems {

  private OtherSystems() {}

  /** A file beside an SSTable. */
  static boolean cassandra(Path file) throws IOException {
    ForeignFilter filter = ForeignFormat.CASSANDRA_4.read(file);
    filter.requireMembers(List.of("a key that must be there"), ItemEncoding.utf8());
    BloomFilterView<CharSequence> view = filter.view(ItemEncoding.utf8());
    boolean maybe = view.mightContain("some key");
    return maybe;
  }

  /** A filter that a job of Spark has collected, of a column of any integer type. */
  static BloomFilterView<Long> spark(Path file) throws IOException {
    ForeignFilter filter = ForeignFormat.SPARK_V2.read(file);
    filter.requireMembers(List.of(1L, 2L, 3L), ItemEncoding.longsLittleEndian());
    BloomFilterView<Long> customers = filter.view(ItemEncoding.longsLittleEndian());
    customers.mightContain(4711L); // by any number of threads
    return customers;
  }

  /** A file that is changed, in turns with the command and other programs. */
  static void updated(Path file) throws IOException {
    try (ForeignUpdate update = ForeignFormat.GUAVA.update(file, Duration.ofMinutes(1))) {
      update.filter().put("one more", ItemEncoding.utf8());
      update.save();
    }
  }
}
