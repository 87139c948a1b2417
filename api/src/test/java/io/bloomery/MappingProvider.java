package io.bloomery;

import io.bloomery.internal.MappedTable;
import io.bloomery.spi.Probes;
import io.bloomery.spi.TableLayout;
import java.io.IOException;
import java.util.Map;

/** The plain variant, answering from the mapping itself. */
final class MappingProvider extends PlainProvider {

  @Override
  public FilterView map(FilterSpec spec, Map<String, Long> numbers, PayloadInput in)
      throws IOException {
    TableLayout layout = layout(numbers, in);
    return new View(new MappedTable(in.mapLongs(layout.bits() / Long.SIZE)), layout);
  }

  private record View(MappedTable table, TableLayout layout) implements FilterView {

    @Override
    public boolean mightContain(long hash) {
      long probe = hash;
      for (int i = 0; i < layout.probes(); i++) {
        long bit = Probes.position(probe, table.sizeInBits());
        if ((table.word(bit / Long.SIZE) >>> bit & 1) == 0) {
          return false;
        }
        probe = Probes.next(probe);
      }
      return true;
    }

    @Override
    public FilterStats stats() {
      return layout.stats(table.countSetBits());
    }
  }
}
