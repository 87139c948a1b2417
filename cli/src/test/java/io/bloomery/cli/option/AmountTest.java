package io.bloomery.cli.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class AmountTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "7, 7",
    "-7, -7",
    "10K, 10000",
    "10k, 10000",
    "10 K, 10000",
    "1.5M, 1500000",
    "2G, 2000000000",
    "2B, 2000000000",
    "3T, 3000000000000",
    "1.0, 1",
    "1e7, 10000000",
    "1E7, 10000000",
    "1.5e6, 1500000",
    "-2e3, -2000",
    "1e+3, 1000",
    "12000e-3, 12",
    "1e2K, 100000",
    "0e0, 0",
    "0e999, 0",
    "9223372036854775807, 9223372036854775807"
  })
  void countsAreReadWithTheirLetters(String text, long count) {
    assertEquals(count, Amount.count(text));
  }

  @ParameterizedTest
  @CsvSource({
    "100, 100", "100B, 100", "64MiB, 67108864", "64Mi, 67108864", "64 mib, 67108864",
    "1.5GB, 1500000000", "1.5G, 1500000000", "1KiB, 1024", "1KB, 1000", "0.5KiB, 512",
    "1e9, 1000000000", "1.5e3KiB, 1536000", "1TiB, 1099511627776", "1TB, 1000000000000",
        "2GiB, 2147483648"
  })
  void sizesAreReadWithTheirUnits(String text, long bytes) {
    assertEquals(bytes, Amount.bytes(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "K", "1.5", "0.0001K", "1e-1", "1.5e0", "1e", "e7", "1e7.5", "1e9999", "10X", "10MiB",
        "1,000", "1..5", " 1"
      })
  void whatIsNoCountIsRefused(String text) {
    Exception e = assertThrows(TypeConversionException.class, () -> Amount.count(text));
    assertTrue(e.getMessage().startsWith("must be a whole number, but was '"), e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "MiB", "1.5", "1.5B", "0.3KiB", "10X", "1kibi", "64M iB"})
  void whatIsNoSizeIsRefused(String text) {
    Exception e = assertThrows(TypeConversionException.class, () -> Amount.bytes(text));
    assertTrue(e.getMessage().startsWith("must be a whole number of bytes, but"), e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"9223372036854775808", "1e19", "1e999", "10000000000G", "99999999999999999999T"})
  void whatNoNumberHoldsIsRefused(String text) {
    Exception e = assertThrows(TypeConversionException.class, () -> Amount.count(text));
    assertTrue(e.getMessage().startsWith("must be at most 9223372036854775807"), e.getMessage());
  }
}
