package io.bloomery.interop;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * A golden file: its bytes, the format and the encoding of its keys, and what its system answers.
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares two
record Golden(
    String name,
    ForeignFormat format,
    byte[] bytes,
    ItemEncoding<Object> encoding,
    List<Object> members,
    List<Object> probes,
    Set<Integer> positives,
    Map<?, ?> params) {

  private static final List<String> FOLDERS =
      List.of(
          "guava",
          "guava-java",
          "pinot",
          "spark",
          "spark-xxhash64",
          "cassandra3",
          "cassandra4",
          "cassandra5",
          "parquet",
          "datasketches",
          "hive24",
          "hive26",
          "hive42",
          "orc",
          "druid",
          "hadoop",
          "hudi",
          "redisson",
          "paimon",
          "bits-and-blooms",
          "redisbloom",
          "dcso");

  private static final List<Golden> ALL = load();

  static List<Golden> all() {
    return ALL;
  }

  /** Returns one file of each format, drawn. */
  static Set<Golden> ofEachFormat(Random random) {
    List<Golden> drawn = new ArrayList<>(ALL);
    Collections.shuffle(drawn, random);
    Map<ForeignFormat, Golden> one = new EnumMap<>(ForeignFormat.class);
    drawn.forEach(golden -> one.put(golden.format(), golden));
    return Set.copyOf(one.values());
  }

  private static List<Golden> load() {
    List<Golden> all = new ArrayList<>();
    for (String folder : FOLDERS) {
      Map<String, Object> manifest = GoldenKeys.json(folder + "/manifest.json");
      for (Object file : (List<?>) manifest.get("files")) {
        all.add(of(folder, (Map<?, ?>) file, (List<?>) manifest.get("edgeKeysHex")));
      }
    }
    return List.copyOf(all);
  }

  private static Golden of(String folder, Map<?, ?> file, List<?> edgeKeys) {
    String name = (String) file.get("file");
    Map<?, ?> key = (Map<?, ?>) file.get("key");
    Map<?, ?> probe = (Map<?, ?>) file.get("probe");
    String kind = (String) key.get("kind");
    int count = ((Long) key.get("count")).intValue();
    List<Object> members = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      members.add(GoldenKeys.key(kind, i, count, true, edgeKeys));
    }
    List<Object> probes = new ArrayList<>();
    for (int i = 0; i < ((Long) probe.get("count")).intValue(); i++) {
      probes.add(GoldenKeys.key((String) probe.get("kind"), i, count, false, edgeKeys));
    }
    Set<Integer> positives = new HashSet<>();
    ((List<?>) probe.get("positives")).forEach(i -> positives.add(((Long) i).intValue()));
    return new Golden(
        folder + "/" + name,
        format(folder, name),
        bytes(folder, file),
        encoding(folder, name, kind),
        members,
        probes,
        positives,
        (Map<?, ?>) file.get("params"));
  }

  static byte[] bytes(String folder, Map<?, ?> file) {
    if (!file.containsKey("header")) {
      return GoldenKeys.resource(folder + "/" + file.get("file"));
    }
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    joined.writeBytes(GoldenKeys.resource(folder + "/" + file.get("header")));
    joined.writeBytes(GoldenKeys.resource(folder + "/" + file.get("data")));
    return joined.toByteArray();
  }

  static ForeignFormat format(String folder, String path) {
    String name = path.substring(path.indexOf('/') + 1);
    return switch (folder) {
      case "guava" -> name.startsWith("mitz32") ? ForeignFormat.GUAVA_MITZ_32 : ForeignFormat.GUAVA;
      case "guava-java" ->
          name.startsWith("mitz32") ? ForeignFormat.GUAVA_JAVA_MITZ_32 : ForeignFormat.GUAVA_JAVA;
      case "pinot" -> ForeignFormat.PINOT;
      case "paimon" -> ForeignFormat.PAIMON;
      case "druid" -> ForeignFormat.DRUID;
      case "hudi" -> name.startsWith("simple") ? ForeignFormat.HUDI : ForeignFormat.HUDI_DYNAMIC;
      case "spark", "spark-xxhash64" ->
          name.startsWith("v1") ? ForeignFormat.SPARK_V1 : ForeignFormat.SPARK_V2;
      case "cassandra3" ->
          name.startsWith("old-hash-order") ? ForeignFormat.CASSANDRA_2 : ForeignFormat.CASSANDRA_3;
      case "cassandra4", "cassandra5" -> ForeignFormat.CASSANDRA_4;
      case "parquet" ->
          name.endsWith(".bitset") ? ForeignFormat.PARQUET_BITSET : ForeignFormat.PARQUET;
      case "datasketches" -> ForeignFormat.DATASKETCHES;
      case "hive24" -> ForeignFormat.HIVE_2_4;
      case "hive26", "hive42" ->
          name.startsWith("bloomk") ? ForeignFormat.HIVE_BLOOMK : ForeignFormat.HIVE_2_5;
      case "orc" -> name.startsWith("orig") ? ForeignFormat.ORC : ForeignFormat.ORC_UTF8;
      case "bits-and-blooms" ->
          name.endsWith(".json")
              ? ForeignFormat.BITS_AND_BLOOMS_JSON
              : name.startsWith("littleendian-m")
                  ? ForeignFormat.BITS_AND_BLOOMS_LITTLE_ENDIAN
                  : ForeignFormat.BITS_AND_BLOOMS;
      case "hadoop" ->
          name.startsWith("counting")
              ? ForeignFormat.HADOOP_COUNTING
              : name.startsWith("dynamic")
                  ? ForeignFormat.HADOOP_DYNAMIC
                  : name.startsWith("bloom-jenkins")
                      ? ForeignFormat.HADOOP_JENKINS
                      : ForeignFormat.HADOOP;
      case "redisson" -> ForeignFormat.REDISSON;
      case "redisbloom" -> ForeignFormat.REDISBLOOM;
      default -> name.endsWith(".gz") ? ForeignFormat.DCSO_GZIP : ForeignFormat.DCSO;
    };
  }

  /** What the peer does with a kind of key: the table of encodings side by side. */
  private static ItemEncoding<Object> encoding(String folder, String name, String kind) {
    if (folder.equals("spark-xxhash64")) {
      return ItemEncoding.sparkXxHash64(encoding("", "", kind));
    }
    if (folder.equals("redisson")) {
      return ItemEncoding.redissonCodec(
          switch (kind) {
            case "string" -> "StringCodec";
            case "long" -> "LongCodec";
            default -> "ByteArrayCodec";
          });
    }
    boolean wang = Set.of("orc", "paimon").contains(folder) || name.startsWith("bloom-");
    boolean widens = folder.equals("spark") || wang;
    boolean bigEndian =
        List.of("cassandra3", "cassandra4", "cassandra5", "hive42", "hadoop").contains(folder)
            || (name.startsWith("long-n") && folder.equals("druid"));
    if (name.contains("unencodedchars")) {
      return ItemEncoding.utf16LittleEndian().compose(CharSequence.class::cast);
    }
    return switch (kind) {
      case "text-of-any-length" -> ItemEncoding.hadoopTexts().compose(CharSequence.class::cast);
      case "string" ->
          folder.equals("datasketches")
              ? ItemEncoding.utf8UnlessEmpty().compose(CharSequence.class::cast)
              : ItemEncoding.utf8().compose(CharSequence.class::cast);
      case "long", "long-mixed", "int", "int-mixed" -> {
        if (kind.startsWith("int") && !widens) {
          yield (bigEndian ? ItemEncoding.intsBigEndian() : ItemEncoding.intsLittleEndian())
              .compose(Integer.class::cast);
        }
        yield (wang
                ? ItemEncoding.hiveLongs()
                : bigEndian ? ItemEncoding.longsBigEndian() : ItemEncoding.longsLittleEndian())
            .compose(key -> ((Number) key).longValue());
      }
      default -> ItemEncoding.bytes().compose(byte[].class::cast);
    };
  }

  @Override
  public String toString() {
    return name;
  }
}
