package io.bloomery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.hash.KeyHasher;
import io.bloomery.internal.Sizing;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.Probes;
import io.bloomery.spi.TableFilter;
import io.bloomery.spi.TableLayout;
import io.bloomery.spi.TableProvider;
import org.junit.jupiter.api.Test;

/** Checks builders that are given a provider instead of the name of one. */
class BuilderProviderTest {

  /** A variant that nothing has installed, with one bit for each key. */
  private static final class OneBit extends TableProvider {

    private final long bits;

    OneBit(long bits) {
      this.bits = bits;
    }

    @Override
    public String variant() {
      return "test-one-bit";
    }

    @Override
    protected TableLayout layoutFor(FilterSpec spec) {
      return TableLayout.ofBits(bits).withProbes(1);
    }

    @Override
    protected double rate(long keys, TableLayout layout) {
      return Sizing.rate(keys, layout.bits(), layout.probes());
    }

    @Override
    protected TableFilter wrap(FilterSpec spec, TableLayout layout, BitTable table) {
      return new TableFilter(this, spec, layout, table) {
        @Override
        public boolean put(long hash) {
          return table().set(Probes.within(table().sizeInBits()).position(hash));
        }

        @Override
        public boolean mightContain(long hash) {
          return table().get(Probes.within(table().sizeInBits()).position(hash));
        }
      };
    }
  }

  private final FilterBuilder<Long> builder =
      Bloomery.with().keys(KeyHasher.longs()).expect(100).fpp(0.2);

  @Test
  void aGivenProviderCreatesAndPlansWithoutBeingInstalled() {
    FilterBuilder<Long> given = builder.variant(new OneBit(1_024));
    BloomFilter<Long> filter = given.create();
    filter.put(7L);
    assertEquals("test-one-bit", filter.filter().variant());
    assertEquals(FilterSpec.of(100, 0.2, KeyHasher.longs().id()), filter.spec());
    assertEquals("test-one-bit", given.plan().variant());
    assertEquals("test-one-bit", given.expect(5).fpp(0.3).confined().create().filter().variant());
  }

  @Test
  void whatWasSaidLastIsTaken() {
    FilterBuilder<Long> either =
        Bloomery.with(new OneBit(1_024)).keys(KeyHasher.longs()).expect(1).variant("test-one-bit");
    FilterBuilder<Long> given = either.variant(new OneBit(2_048));
    assertEquals(1_024, either.create().stats().sizeInBits());
    assertEquals(2_048, given.create().stats().sizeInBits());
    assertEquals(1_024, given.variant("test-one-bit").create().stats().sizeInBits());
  }

  @Test
  void aMissingProviderIsRefused() {
    assertThrows(NullPointerException.class, () -> builder.variant((FilterProvider) null));
  }
}
