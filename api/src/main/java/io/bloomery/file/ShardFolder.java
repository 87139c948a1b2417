package io.bloomery.file;

import io.bloomery.file.UnexpectedFilterException.Reason;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.Sharding;
import io.bloomery.filter.StoredFilter;
import io.bloomery.internal.Attributes;
import io.bloomery.internal.ContentTooLargeException;
import io.bloomery.internal.file.FileInput;
import io.bloomery.internal.file.Uninterrupted;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The files of shards in a folder, each checked to be the shard that it is expected to be. */
final class ShardFolder {

  private final Path folder;
  private final int shards;

  ShardFolder(Path folder, int shards) {
    this.folder = folder;
    this.shards = shards;
  }

  Path path(int shard) {
    return folder.resolve(ShardedFilterFiles.fileName(shard));
  }

  private String name(int shard) {
    return shard + "/" + shards;
  }

  /** Returns the sharding of a filter, given the header of any shard. */
  static Sharding sharding(ShardManifest manifest, FilterHeader header) {
    FilterSpec spec =
        FilterSpec.of(
            manifest.expectedKeys(), manifest.falsePositiveRate(), header.spec().hashId());
    return Sharding.of(
        spec.withAttributes(attributesOfAll(header.spec())), manifest.entries().size());
  }

  private static SortedMap<String, String> attributesOfAll(FilterSpec spec) {
    SortedMap<String, String> attributes = new TreeMap<>(spec.attributes());
    attributes.remove(Attributes.SHARD);
    return attributes;
  }

  /**
   * Returns the manifest entry of a saved shard.
   *
   * @param spec the specification that the shard must have
   */
  ShardEntry entry(int shard, FilterSpec spec) throws IOException {
    FilterHeader header = header(shard);
    if (!header.spec().equals(spec)) {
      throw new UnexpectedFilterException(
              Reason.SHARD,
              "a shard must be made for "
                  + spec
                  + ", but is for "
                  + header.spec()
                  + "; write the shard again")
          .in(path(shard));
    }
    return entry(shard, header);
  }

  private ShardEntry entry(int shard, FilterHeader header) throws IOException {
    long length = header.serializedSize();
    return new ShardEntry(
        length,
        HeaderFormat.checksum(header),
        Uninterrupted.run(() -> trailerChecksum(path(shard), length)));
  }

  private static int trailerChecksum(Path path, long length) throws IOException {
    ByteBuffer last = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    try (FileChannel channel = FileInput.channel(path)) {
      int read = 0;
      while (last.hasRemaining() && read >= 0) {
        read = channel.read(last, length - last.remaining());
      }
    }
    return last.getInt(0);
  }

  private FilterHeader header(int shard) throws IOException {
    if (!Files.isRegularFile(path(shard))) {
      throw lost(shard);
    }
    return FilterFile.header(path(shard));
  }

  NoSuchFileException lost(int shard) {
    return new NoSuchFileException(path(shard).toString(), null, reasonOfLost(shard));
  }

  private String reasonOfLost(int shard) {
    return "shard "
        + name(shard)
        + " must be in its folder, but is not; bring its file back, or build the filter again";
  }

  /**
   * Returns the headers of all shards.
   *
   * @throws UnexpectedFilterException if a file is not the one that the manifest names, or does not
   *     satisfy the options
   */
  List<FilterHeader> headers(ShardManifest manifest, Opening opening) throws IOException {
    List<FilterHeader> headers = new ArrayList<>();
    long payload = 0;
    for (int i = 0; i < shards; i++) {
      FilterHeader header = header(i);
      check(i, header, entry(i, header), manifest.entries().get(i));
      headers.add(header);
      checkAlike(i, headers.get(0), header);
      try {
        opening.provider(header);
      } catch (UnexpectedFilterException e) {
        throw e.in(path(i));
      }
      payload = Math.addExact(payload, header.payloadSize());
    }
    checkSize(payload, opening.options().limits().maxBytes());
    return headers;
  }

  private void checkSize(long payload, long maxBytes) throws UnexpectedFilterException {
    if (payload > maxBytes) {
      throw new UnexpectedFilterException(
              Reason.SIZE,
              "maxBytes must be at least the "
                  + payload
                  + " bytes of all shards, but was "
                  + maxBytes
                  + "; allow more bytes if you trust the folder, or map it")
          .in(folder);
    }
  }

  private void check(int shard, FilterHeader header, ShardEntry found, ShardEntry named)
      throws UnexpectedFilterException {
    String text = header.spec().attributes().getOrDefault(Attributes.SHARD, "none");
    if (!text.equals(name(shard))) {
      throw new UnexpectedFilterException(
              Reason.SHARD,
              "must be shard "
                  + name(shard)
                  + ", but is "
                  + (text.equals("none") ? "no shard at all" : "shard " + text)
                  + "; bring the file back that was here")
          .in(path(shard));
    }
    checkSame(shard, found, named);
  }

  private void checkSame(int shard, ShardEntry found, ShardEntry named)
      throws UnexpectedFilterException {
    if (!found.equals(named)) {
      throw new UnexpectedFilterException(Reason.SHARD, foreign(shard)).in(path(shard));
    }
  }

  private String foreign(int shard) {
    return "must be shard "
        + name(shard)
        + " as it was when the manifest was written, but is another file, such as that of another"
        + " build; bring the file back that was here";
  }

  private void checkAlike(int shard, FilterHeader first, FilterHeader header)
      throws UnexpectedFilterException {
    FilterLayout layout = header.layout();
    FilterSpec spec = header.spec();
    if (!header.variant().equals(first.variant())
        || !layout.equals(first.layout())
        || !spec.withAttributes(attributesOfAll(spec))
            .equals(first.spec().withAttributes(attributesOfAll(first.spec())))) {
      throw new UnexpectedFilterException(
              Reason.SHARD,
              "shards must be alike, but this is "
                  + header
                  + ", and the first "
                  + first
                  + "; bring the file back that was here")
          .in(path(shard));
    }
  }

  StoredFilter open(int shard, ShardEntry entry, Opening opening) throws IOException {
    Path path = path(shard);
    ShardSeal seal = new ShardSeal();
    StoredFilter filter;
    try (FileInput in = FilterFile.input(path)) {
      filter = FilterFile.read(path, seal.input(in), in.length(), opening);
    } catch (ContentTooLargeException e) {
      throw e.or("map the folder");
    }
    checkSame(shard, seal.entry(), entry);
    return filter;
  }

  MappedFilter map(int shard, ShardEntry entry, Opening opening) throws IOException {
    MappedFilter filter = MappedFile.map(path(shard), opening, MappedFile.SEGMENT);
    checkSame(shard, filter.entry(), entry);
    return filter;
  }

  /** Compares a shard's file with its checksums and with the manifest. */
  VerificationResult verify(int shard, ShardManifest manifest, FilterFiles files)
      throws IOException {
    ShardEntry named = manifest.entries().get(shard);
    if (!Files.isRegularFile(path(shard))) {
      return wrong(named, reasonOfLost(shard));
    }
    try {
      VerificationResult result = files.verify(path(shard));
      if (result.damage().isEmpty()) {
        FilterHeader header = header(shard);
        check(shard, header, entry(shard, header), named);
        checkAlike(shard, header(0), header);
      }
      return result;
    } catch (FilterFormatException e) {
      return wrong(named, e.detail());
    } catch (UnexpectedFilterException e) {
      return wrong(named, e.detail());
    }
  }

  private static VerificationResult wrong(ShardEntry entry, String reason) {
    return VerificationResult.of(List.of(new DamagedRegion(0, entry.length(), reason)));
  }
}
