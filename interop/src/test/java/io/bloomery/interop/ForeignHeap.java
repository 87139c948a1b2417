package io.bloomery.interop;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.HexFormat;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/** Reads, in a JVM of little memory, what would take more. */
final class ForeignHeap {

  /** Headers that announce two gigabytes, and get them. */
  private static final Map<ForeignFormat, String> HEADERS =
      Map.of(
          ForeignFormat.GUAVA, "01" + "05" + "10000000",
          ForeignFormat.SPARK_V1, "00000001" + "00000005" + "10000000",
          ForeignFormat.CASSANDRA_4, "00000005" + "10000000",
          ForeignFormat.PARQUET_BITSET, "",
          ForeignFormat.DATASKETCHES,
              "04011500"
                  + "05000000"
                  + "0000000000000000"
                  + "0000000400000000"
                  + "ffffffffffffffff",
          ForeignFormat.HIVE_BLOOMK, "05" + "10000000",
          ForeignFormat.HADOOP_COUNTING, "ffffffff" + "00000005" + "01" + "7fffffff",
          ForeignFormat.ORC_UTF8, "0805" + "1a8080808008",
          ForeignFormat.BITS_AND_BLOOMS,
              "0000000400000000" + "0000000000000005" + "0000000400000000",
          ForeignFormat.KUDU, "081f" + "128080808008");

  private ForeignHeap() {}

  /** Says what was wrong, or nothing. */
  public static void main(String... args) throws IOException {
    for (Map.Entry<ForeignFormat, String> header : HEADERS.entrySet()) {
      expectRefusal(
          header.getKey(),
          new SequenceInputStream(
              new ByteArrayInputStream(HexFormat.of().parseHex(header.getValue())),
              zeros(Long.MAX_VALUE)));
    }
    expectRefusal(ForeignFormat.ORC, repeated("080511"));
    expectRefusal(ForeignFormat.BITS_AND_BLOOMS_JSON, repeated("20"));
    expectRefusal(ForeignFormat.DCSO_GZIP, new ByteArrayInputStream(packed(80L << 20)));
    System.out.println("done");
  }

  private static void expectRefusal(ForeignFormat format, InputStream in) {
    try {
      format.read(in);
      System.out.println(format + " was read");
    } catch (IOException e) {
      if (!String.valueOf(e.getMessage()).contains("-Xmx")) {
        System.out.println(format + ": " + e);
      }
    }
  }

  /** Some bytes, over and over: hash functions and a word, or spaces. */
  private static InputStream repeated(String hex) {
    byte[] unit = HexFormat.of().parseHex(hex);
    byte[] some = new byte[unit.length == 1 ? 1 : 2 + 9 * 1000];
    for (int i = 0; i < some.length; i++) {
      some[i] = unit.length == 1 ? unit[0] : i < 2 ? unit[i] : (i - 2) % 9 == 0 ? unit[2] : 0;
    }
    return new InputStream() {
      private int at;

      @Override
      public int read() {
        at = at == some.length ? 0 : at;
        return some[at++] & 0xff;
      }

      @Override
      public int read(byte[] into, int offset, int length) {
        for (int i = 0; i < length; i++) {
          into[offset + i] = (byte) read();
        }
        return length;
      }
    };
  }

  private static byte[] packed(long bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(
          HexFormat.of()
              .parseHex(
                  "0100000000000000"
                      + "e803000000000000"
                      + "7b14ae47e17a843f"
                      + "0500000000000000"
                      + "0000000004000000"
                      + "0000000000000000"));
      zeros(bytes).transferTo(out);
    }
    return packed.toByteArray();
  }

  private static InputStream zeros(long count) {
    return new InputStream() {
      private long left = count;

      @Override
      public int read() {
        return left-- > 0 ? 0 : -1;
      }

      @Override
      public int read(byte[] into, int from, int length) {
        int size = (int) Math.min(length, left);
        java.util.Arrays.fill(into, from, from + size, (byte) 0);
        left -= size;
        return size == 0 && length > 0 ? -1 : size;
      }
    };
  }
}
