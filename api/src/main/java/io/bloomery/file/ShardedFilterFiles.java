package io.bloomery.file;

import io.bloomery.file.UnexpectedFilterException.Reason;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.Sharding;
import io.bloomery.filter.StoredFilter;
import io.bloomery.internal.Attributes;
import io.bloomery.internal.file.FileInput;
import io.bloomery.internal.file.FileReplacement;
import io.bloomery.internal.file.NewFolder;
import io.bloomery.internal.file.ShardsLock;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads and writes filters of hashes as folders of shards: a file per shard, each a filter in
 * itself, and a manifest, written last, that makes them one filter. Filters of keys are written and
 * opened by {@link io.bloomery.FilterBuilder}.
 *
 * <p>A folder is written once: without a manifest it is not a filter, and once it has a manifest
 * none of its files is replaced: a save, update or merge of any filter that would do so throws
 * FileAlreadyExistsException. To rebuild a filter, write to another folder and let the readers open
 * that.
 *
 * <p>A shard that is missing, exchanged for another, or from another build causes an IOException
 * that names it when the folder is opened, before any query.
 */
public final class ShardedFilterFiles {

  /** The name of the manifest within its folder. */
  public static final String MANIFEST = ShardsLock.MANIFEST;

  private final FilterProviders providers;

  /** Creates a reader of shards of the given providers' variants only. */
  public ShardedFilterFiles(FilterProviders providers) {
    this.providers = Objects.requireNonNull(providers, "providers");
  }

  /** Returns a reader of shards of the installed variants: {@link FilterProviders#installed}. */
  public static ShardedFilterFiles installed() {
    return new ShardedFilterFiles(FilterProviders.installed());
  }

  /**
   * Returns the name of a shard's file within its folder, {@code shard-00003.bloom} for example.
   */
  public static String fileName(int shard) {
    return String.format(
        Locale.ROOT, "shard-%05d.bloom", Objects.checkIndex(shard, Sharding.MAX_SHARDS));
  }

  /** Returns whether a path is a folder with a manifest, whose content is not checked. */
  public static boolean isSharded(Path path) {
    return Files.isDirectory(path) && ShardsLock.isFinished(path);
  }

  /**
   * Saves a shard in a folder, atomically as {@link FilterFiles#save} does, under the name of the
   * shard. Creates the folder if it does not exist.
   *
   * @param shard created for {@link Sharding#spec(int)} of one of the shards
   * @return the manifest entry of the shard
   * @throws IllegalArgumentException if it is not one of these shards
   * @throws FileAlreadyExistsException if the folder has a manifest
   * @throws IOException if the file cannot be written; it is then unchanged
   */
  public static ShardEntry save(StoredFilter shard, Sharding sharding, Path folder)
      throws IOException {
    int number = number(shard, sharding);
    makeFolder(folder);
    ShardSeal seal = new ShardSeal();
    FileReplacement.replace(
        folder.resolve(fileName(number)), out -> EnvelopeWriter.write(shard, seal.output(out)));
    return seal.entry();
  }

  private static void makeFolder(Path folder) throws IOException {
    try {
      NewFolder.make(folder);
    } catch (FileAlreadyExistsException e) {
      FileSystemException other =
          new FileSystemException(
              folder.toString(),
              null,
              "must be a folder, or absent, but is a file, or a link to none; name another");
      other.initCause(e);
      throw other;
    }
  }

  private static int number(StoredFilter shard, Sharding sharding) {
    String name = shard.spec().attributes().getOrDefault(Attributes.SHARD, "");
    String of = "/" + sharding.shards();
    if (name.endsWith(of) && name.matches("\\d{1,5}/\\d{1,5}")) {
      int number = Integer.parseInt(name.substring(0, name.length() - of.length()));
      if (number < sharding.shards() && sharding.spec(number).equals(shard.spec())) {
        return number;
      }
    }
    throw new IllegalArgumentException(
        "a shard must be made for the spec of one of "
            + sharding
            + ", but is for "
            + shard.spec()
            + "; create it with sharding.spec(number)");
  }

  /**
   * Writes a shard to a stream, which stays open. Meant for folders outside the local file systems,
   * where the content must be stored as the file {@link #fileName}.
   *
   * @return the manifest entry of the shard
   */
  public static ShardEntry write(StoredFilter shard, OutputStream out) throws IOException {
    ShardSeal seal = new ShardSeal();
    EnvelopeWriter.write(shard, seal.output(out));
    return seal.entry();
  }

  /**
   * Writes a manifest to a stream, which stays open. Meant for folders outside the local file
   * systems, where the content must be stored as the file {@value #MANIFEST} after all shards.
   *
   * @param entries the results of {@link #write} for all shards, in order
   * @throws IllegalArgumentException if the number of entries is not that of the shards
   */
  public static void writeManifest(Sharding sharding, List<ShardEntry> entries, OutputStream out)
      throws IOException {
    out.write(manifest(sharding, entries).encode());
  }

  private static ShardManifest manifest(Sharding sharding, List<ShardEntry> entries) {
    if (entries.size() != sharding.shards()) {
      throw new IllegalArgumentException(
          "a manifest must have an entry for each of "
              + sharding.shards()
              + " shards, but has "
              + entries.size());
    }
    return new ShardManifest(
        sharding.spec().expectedKeys(), sharding.spec().falsePositiveRate(), entries);
  }

  /**
   * Writes the manifest of the saved shards, which makes them one filter.
   *
   * @throws NoSuchFileException if a shard was not saved; the message names it
   * @throws UnexpectedFilterException if a file is a filter other than its shard, or the folder has
   *     a shard whose number is out of range; the message names it
   * @throws FileAlreadyExistsException if the folder has a manifest
   * @throws IOException if a file cannot be read, or the manifest cannot be written
   */
  public static void complete(Sharding sharding, Path folder) throws IOException {
    ShardFolder shards = new ShardFolder(folder, sharding.shards());
    if (!Files.isDirectory(folder)) {
      throw shards.lost(0);
    }
    try (ShardsLock lock = ShardsLock.take(folder)) {
      List<ShardEntry> entries = new ArrayList<>();
      for (int i = 0; i < sharding.shards(); i++) {
        entries.add(shards.entry(i, sharding.spec(i)));
      }
      checkNoOthers(folder, sharding.shards());
      ShardManifest manifest = manifest(sharding, entries);
      lock.finish(out -> out.write(manifest.encode()));
    }
  }

  /** Rejects files left by an earlier build with more shards. */
  private static void checkNoOthers(Path folder, int shards) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "shard-*.bloom")) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        if (ShardsLock.isShard(name) && name.compareTo(fileName(shards - 1)) > 0) {
          throw new UnexpectedFilterException(
                  Reason.SHARD,
                  "there must be " + shards + " shards, but this is one more; remove it")
              .in(file);
        }
      }
    }
  }

  /**
   * Loads a sharded filter into memory.
   *
   * @param options options whose limits apply to all shards together
   * @throws NoSuchFileException if a shard is missing; the message names it
   * @throws FilterFormatException if the manifest or a shard is damaged, or is not one
   * @throws UnexpectedFilterException if a file is not the shard that the manifest was written for,
   *     or the filter does not match the options; the message names the file
   * @throws IOException if a file cannot be read
   */
  public ShardedFilter open(Path folder, OpenOptions options) throws IOException {
    return open(folder, new Opening(providers, options), ShardFolder::open);
  }

  /**
   * Opens a sharded filter memory-mapped: queries read the files in place, without loading them.
   * The content is not compared with its checksums, which {@link #verify} does, but a shard from
   * another build is detected.
   *
   * @throws IOException as for {@link #open}, or if a file cannot be mapped
   */
  public ShardedFilter map(Path folder, OpenOptions options) throws IOException {
    return open(folder, new Opening(providers, options), ShardFolder::map);
  }

  /** A way to open a shard. */
  private interface Way {
    FilterView open(ShardFolder folder, int shard, ShardEntry entry, Opening opening)
        throws IOException;
  }

  private static ShardedFilter open(Path folder, Opening opening, Way way) throws IOException {
    ShardManifest manifest = readManifest(folder);
    ShardFolder shards = new ShardFolder(folder, manifest.entries().size());
    // Before any content is read: a missing or unexpected shard is found at little cost.
    List<FilterHeader> headers = shards.headers(manifest, opening);
    List<FilterView> views = new ArrayList<>();
    long bytes = manifest.size();
    long payload = 0;
    try {
      for (int i = 0; i < headers.size(); i++) {
        views.add(way.open(shards, i, manifest.entries().get(i), opening));
        bytes += manifest.entries().get(i).length();
        payload += headers.get(i).payloadSize();
      }
    } catch (IOException | RuntimeException e) {
      for (FilterView view : views) {
        if (view instanceof MappedFilter mapped) {
          mapped.close();
        }
      }
      throw e;
    }
    return new ShardedFilter(
        ShardFolder.sharding(manifest, headers.get(0)),
        headers.get(0),
        payload,
        bytes,
        folder.toString(),
        views);
  }

  private static ShardManifest readManifest(Path folder) throws IOException {
    Path path = folder.resolve(MANIFEST);
    if (!Files.isRegularFile(path)) {
      throw new NoSuchFileException(
          path.toString(),
          null,
          "a folder of shards must have a manifest, which is written when all of them are there,"
              + " but has none; finish the build, or name another folder");
    }
    try (FileInput in = FileInput.of(path)) {
      return ShardManifest.read(in);
    } catch (FilterFormatException e) {
      throw e.in(path);
    }
  }

  /**
   * Compares all files of a folder with their checksums and with the manifest, as {@link
   * FilterFiles#verify} does for one file, in hardly more memory.
   *
   * @return the result for each file, in the order of names; a shard that is missing, exchanged or
   *     from another build is reported as damaged as a whole
   * @throws FilterFormatException if the manifest is damaged, or is not one
   * @throws IOException if a file cannot be read
   */
  public SortedMap<Path, VerificationResult> verify(Path folder) throws IOException {
    ShardManifest manifest = readManifest(folder);
    ShardFolder shards = new ShardFolder(folder, manifest.entries().size());
    FilterFiles files = new FilterFiles(providers);
    SortedMap<Path, VerificationResult> results = new TreeMap<>();
    results.put(folder.resolve(MANIFEST), VerificationResult.of(List.of()));
    for (int i = 0; i < manifest.entries().size(); i++) {
      results.put(shards.path(i), shards.verify(i, manifest, files));
    }
    return results;
  }
}
