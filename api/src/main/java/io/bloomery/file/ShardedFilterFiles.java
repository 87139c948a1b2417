package io.bloomery.file;

import io.bloomery.file.UnexpectedFilterException.Reason;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.Sharding;
import io.bloomery.internal.Attributes;
import io.bloomery.internal.file.FileInput;
import io.bloomery.internal.file.FileReplacement;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
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
 * Filters of hashes in folders of shards: a file for each shard, which is a filter of its own, and
 * a manifest, which is written last and makes them one. {@link io.bloomery.FilterBuilder} writes
 * and opens filters of keys.
 *
 * <p>A folder is written once: without a manifest it is no filter, and with one nothing in it is
 * replaced. Whoever builds a filter anew takes another folder, and lets its readers open that.
 *
 * <p>A shard that is lost, in the place of another, or of another build is an IOException that
 * names it, before the first answer.
 */
public final class ShardedFilterFiles {

  /** The name of the manifest within its folder. */
  public static final String MANIFEST = "shards.manifest";

  private final FilterProviders providers;

  /** Reads shards by these providers and no others. */
  public ShardedFilterFiles(FilterProviders providers) {
    this.providers = Objects.requireNonNull(providers, "providers");
  }

  /** Reads shards by the providers that are installed: {@link FilterProviders#installed}. */
  public static ShardedFilterFiles installed() {
    return new ShardedFilterFiles(FilterProviders.installed());
  }

  /** Returns the name of a shard's file within its folder: {@code shard-00003.bloom}. */
  public static String fileName(int shard) {
    return String.format(
        Locale.ROOT, "shard-%05d.bloom", Objects.checkIndex(shard, Sharding.MAX_SHARDS));
  }

  /** Returns whether a path is a folder with a manifest, of whatever content. */
  public static boolean isSharded(Path path) {
    return Files.isDirectory(path) && Files.isRegularFile(path.resolve(MANIFEST));
  }

  /**
   * Saves a shard in a folder, which is made if it is not there: atomically, as {@link
   * FilterFiles#save} does, under the name of the shard.
   *
   * @param shard made for {@link Sharding#spec(int)} of one of them
   * @return what the manifest is to say of it
   * @throws IllegalArgumentException if it is not one of these shards
   * @throws FileAlreadyExistsException if the folder has a manifest
   * @throws IOException if the file cannot be written; it is then what it was
   */
  public static ShardEntry save(Filter shard, Sharding sharding, Path folder) throws IOException {
    int number = number(shard, sharding);
    checkUnfinished(folder);
    Files.createDirectories(folder);
    ShardSeal seal = new ShardSeal();
    FileReplacement.replace(
        folder.resolve(fileName(number)), out -> EnvelopeWriter.write(shard, seal.output(out)));
    return seal.entry();
  }

  private static int number(Filter shard, Sharding sharding) {
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

  private static void checkUnfinished(Path folder) throws FileAlreadyExistsException {
    if (isSharded(folder)) {
      throw new FileAlreadyExistsException(
          folder.toString(),
          null,
          "must have no " + MANIFEST + ", but is a finished filter; write to another folder");
    }
  }

  /**
   * Writes a shard to a stream, which stays open: for folders that are not on a file system of this
   * machine, where it must become the file {@link #fileName}.
   *
   * @return what the manifest is to say of it
   */
  public static ShardEntry write(Filter shard, OutputStream out) throws IOException {
    ShardSeal seal = new ShardSeal();
    EnvelopeWriter.write(shard, seal.output(out));
    return seal.entry();
  }

  /**
   * Writes a manifest to a stream, which stays open: for folders that are not on a file system of
   * this machine, where it must become the file {@value #MANIFEST}, after all shards are there.
   *
   * @param entries what {@link #write} has returned for each shard, in their order
   * @throws IllegalArgumentException if there are not as many as shards
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
   * Writes the manifest of shards that were saved, which makes them one filter.
   *
   * @throws NoSuchFileException if a shard was not saved; the message names it
   * @throws UnexpectedFilterException if a file is another filter than its shard, or the folder has
   *     a shard of a number that there is not; the message names it
   * @throws FileAlreadyExistsException if the folder has a manifest
   * @throws IOException if a file cannot be read, or the manifest cannot be written
   */
  public static void complete(Sharding sharding, Path folder) throws IOException {
    checkUnfinished(folder);
    List<ShardEntry> entries = new ArrayList<>();
    ShardFolder shards = new ShardFolder(folder, sharding.shards());
    for (int i = 0; i < sharding.shards(); i++) {
      entries.add(shards.entry(i, sharding.spec(i)));
    }
    checkNoOthers(folder, sharding.shards());
    ShardManifest manifest = manifest(sharding, entries);
    FileReplacement.replace(folder.resolve(MANIFEST), out -> out.write(manifest.encode()));
  }

  /** Refuses what an earlier build with more shards has left behind. */
  private static void checkNoOthers(Path folder, int shards) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "shard-*.bloom")) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        if (name.matches("shard-\\d{5}\\.bloom") && name.compareTo(fileName(shards - 1)) > 0) {
          throw new UnexpectedFilterException(
              Reason.SHARD,
              file + ": there must be " + shards + " shards, but this is one more; remove it");
        }
      }
    }
  }

  /**
   * Opens a filter in shards, with all of them in memory.
   *
   * @param options their limits are those of all shards together
   * @throws NoSuchFileException if a shard is lost; the message names it
   * @throws FilterFormatException if the manifest or a shard is damaged, or none at all
   * @throws UnexpectedFilterException if a file is not the shard that it was when the manifest was
   *     written, or the filter is not as asked; the message names the file
   * @throws IOException if a file cannot be read
   */
  public ShardedFilter open(Path folder, OpenOptions options) throws IOException {
    return open(folder, new Opening(providers, options), ShardFolder::open);
  }

  /**
   * Maps a filter in shards: it answers from its files, without being loaded. The content is not
   * compared with its checksums, which {@link #verify} does; a shard of another build is found all
   * the same.
   *
   * @throws IOException as for {@link #open}, or if a file cannot be mapped
   */
  public ShardedFilter map(Path folder, OpenOptions options) throws IOException {
    return open(folder, new Opening(providers, options), ShardFolder::map);
  }

  /** A way to have a shard. */
  private interface Way {
    FilterView open(ShardFolder folder, int shard, ShardEntry entry, Opening opening)
        throws IOException;
  }

  private static ShardedFilter open(Path folder, Opening opening, Way way) throws IOException {
    ShardManifest manifest = readManifest(folder);
    ShardFolder shards = new ShardFolder(folder, manifest.entries().size());
    // Before anything is read: whether all are there, and are what was asked for.
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
   * FilterFiles#verify} does with one, and with hardly more memory.
   *
   * @return what was found of each file, in the order of names; a shard that is lost, exchanged or
   *     of another build is damaged as a whole
   * @throws FilterFormatException if the manifest is damaged, or none at all
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
