package io.bloomery.standard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import java.util.List;
import org.junit.jupiter.api.Test;

class StandardModuleTest {

  @Test
  void theFilterIsFoundByItsName() {
    assertEquals(List.of("standard"), Bloomery.installed().providers().variants());
    BloomFilter<String> filter = Bloomery.strings().expect(100).create();
    assertEquals("standard", filter.filter().variant());
    assertTrue(filter.put("a") && filter.mightContain("a"));
  }
}
