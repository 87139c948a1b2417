package io.bloomery.cli.filter;

import io.bloomery.Bloomery;
import io.bloomery.cli.foreign.ForeignFile;
import io.bloomery.cli.foreign.ForeignOptions;
import io.bloomery.cli.key.SecretCheckOption;
import io.bloomery.cli.key.SecretFile;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Json;
import io.bloomery.cli.session.Members;
import io.bloomery.cli.session.Session;
import io.bloomery.cli.session.StandardStreams;
import io.bloomery.cli.session.VisibleText;
import io.bloomery.file.DamagedRegion;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.LiveState;
import io.bloomery.file.OpenOptions;
import io.bloomery.file.ShardedFilterFiles;
import io.bloomery.file.VerificationResult;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import io.bloomery.filter.FilterLimits;
import io.bloomery.interop.ForeignFormat;
import io.bloomery.window.SlidingFilterFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reads whole files and verifies their checksums. */
@Command(
    name = "verify",
    description = {
      "Check whether each FILE is a complete and undamaged filter, window, or folder of"
          + " shards.",
      "Prints 'NAME: ok', or a line for each damaged region: NAME, its first and last byte,"
          + " and what is wrong with it. Needs little memory, except for a window, which needs"
          + " that of two of its three filters. In a folder of shards, each missing, exchanged or"
          + " damaged file is named.",
      "A live filter or window that is open for writing has no checksums yet, and is reported as such;"
          + " with --seal they are made if its writer has ended.",
      "If the variant is not installed, or FILE is a pipe, only checksums are compared, and"
          + " the result is not 'ok' but says so. Filters of other systems, most of which have no"
          + " checksum, are reported as well-formed, not as 'ok'."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every FILE is complete and undamaged",
      ExitCode.USAGE_TEXT,
      "3:a FILE is damaged, cannot be read, or was made with another secret",
      "4:none is damaged, but the content of one was not checked",
      "6:none is damaged, but one is open for writing, or was when its writer ended"
    },
    footerHeading = "%nExample:%n",
    footer = "  bloomery verify backup/*.bloom")
public final class VerifyCommand implements Callable<Integer> {

  private final Session session;

  @Option(
      names = "--json",
      description =
          "Print a JSON array with an object for each FILE; 'to' is the first byte after a"
              + " region.")
  private boolean json;

  @Option(
      names = "--seal",
      description =
          "Make the checksums of live files whose writer ended without closing them; refused"
              + " while it runs.")
  private boolean seal;

  @Mixin private SecretCheckOption secretOption;

  @Mixin private ForeignOptions foreign;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "Filters of any kind; - is the standard input.")
  private List<Path> files;

  public VerifyCommand(Session session) {
    this.session = session;
  }

  /**
   * The result of verifying one file.
   *
   * @param fault why it could not be read as a filter, or null if it could
   * @param damage the damaged regions
   * @param unchecked why its content was not checked, or null if it was
   * @param open the state of a live file that is open, or null if it is none
   * @param isForeign whether it is of another system
   */
  private record Finding(
      Path file,
      String fault,
      List<DamagedRegion> damage,
      String unchecked,
      LiveState open,
      boolean isForeign) {

    static Finding of(Path file, VerificationResult result) {
      return new Finding(
          file,
          null,
          result.damage(),
          result.unchecked().orElse(null),
          result.open().orElse(null),
          false);
    }

    static Finding fault(Path file, String fault) {
      return new Finding(file, fault, List.of(), null, null, false);
    }

    static Finding damage(Path file, List<DamagedRegion> damage) {
      return new Finding(file, null, damage, null, null, false);
    }

    boolean isOk() {
      return fault == null && damage.isEmpty() && unchecked == null && open == null;
    }

    int exitCode() {
      if (isOk()) {
        return ExitCode.OK;
      }
      if (open != null) {
        return ExitCode.OPEN;
      }
      return unchecked == null ? ExitCode.BAD_FILE : ExitCode.INCONCLUSIVE;
    }

    private String remark() {
      return (isForeign
              ? "well-formed; its content cannot be checked: "
              : "undamaged, but its content was not checked: ")
          + unchecked;
    }

    String describe() {
      if (isOk()) {
        return line("ok");
      }
      StringBuilder lines = new StringBuilder();
      if (fault != null) {
        lines.append(line(fault));
      }
      if (unchecked != null) {
        lines.append(line(remark()));
      }
      if (open != null) {
        lines.append(line(open + "; if its writer has ended, seal it by verify --seal"));
      }
      damage.forEach(region -> lines.append(line(region)));
      return lines.toString();
    }

    private String line(Object found) {
      return VisibleText.line(file + ": " + found) + '\n';
    }

    Members members() {
      Members members =
          new Members()
              .with("file", file.toString())
              .with("ok", isOk())
              .with("fault", fault)
              .with("unchecked", unchecked);
      if (open != null) {
        members.with("openSince", open.since().toString());
      }
      return members.with("damage", damage.stream().map(Finding::members).toList());
    }

    private static Members members(DamagedRegion region) {
      return new Members()
          .with("from", region.from())
          .with("to", region.to())
          .with("reason", region.reason());
    }
  }

  @Override
  public Integer call() throws Failure, IOException {
    Optional<ForeignFormat> format = foreign.format(session, files);
    if (format.isPresent()) {
      ForeignOptions.refuse(
          secretOption.isGiven(), "--secret-file", "other systems hash without a secret");
    }
    Optional<SecretFile> secret = secretOption.read(session);
    if (secret.isPresent()) {
      for (Path file : files) {
        StandardStreams.refuse(file, "its secret is compared, too");
      }
    }
    Bloomery bloomery = session.bloomery();
    List<Finding> findings = new ArrayList<>();
    for (Path file : format.isPresent() ? files : StandardStreams.files(files)) {
      List<Finding> found =
          format.isPresent()
              ? List.of(look(file, format.get()))
              : lookAtAll(bloomery, file, secret, seal);
      findings.addAll(found);
      for (Finding finding : found) {
        if (!json && !(session.quiet() && finding.isOk())) {
          session.print(finding.describe());
        }
      }
    }
    if (json) {
      Json.print(session, findings.stream().map(Finding::members).toList());
    }
    int exitCode = ExitCode.OK;
    for (Finding finding : findings) {
      if (exitCode != ExitCode.BAD_FILE && !finding.isOk()) {
        exitCode = finding.exitCode();
      }
    }
    return exitCode;
  }

  /**
   * Verifies a file of another system by reading it; without a checksum nothing else is possible.
   */
  private Finding look(Path file, ForeignFormat format) {
    Path named = StandardStreams.isNamedBy(file) ? StandardStreams.INPUT : file;
    try {
      ForeignFile.read(session, file, format);
    } catch (Failure e) {
      return Finding.fault(named, e.detail());
    }
    String unchecked = format.hasChecksum() ? null : format + " has no checksum";
    return new Finding(named, null, List.of(), unchecked, null, true);
  }

  /** Verifies a file, or all files in a folder of shards. */
  private static List<Finding> lookAtAll(
      Bloomery bloomery, Path file, Optional<SecretFile> secret, boolean seal) throws Failure {
    if (!ShardedFilterFiles.isSharded(file)) {
      return List.of(look(bloomery, file, secret, seal));
    }
    List<Finding> findings = new ArrayList<>();
    try {
      new ShardedFilterFiles(bloomery.providers())
          .verify(file)
          .forEach((path, result) -> findings.add(Finding.of(path, result)));
      findings.removeIf(Finding::isOk);
      if (findings.isEmpty() && secret.isPresent()) {
        Path first = file.resolve(ShardedFilterFiles.fileName(0));
        String mismatch = secret.get().mismatch(FilterFiles.inspect(first).spec().hashId());
        if (!mismatch.isEmpty()) {
          findings.add(Finding.fault(file, mismatch));
        }
      }
    } catch (IOException e) {
      return List.of(Finding.fault(file, Failure.reason(e)));
    }
    return findings.isEmpty() ? List.of(Finding.damage(file, List.of())) : findings;
  }

  private static Finding look(
      Bloomery bloomery, Path file, Optional<SecretFile> secret, boolean seal) throws Failure {
    try {
      if (SlidingFilterFiles.isWindow(file)) {
        return lookAtWindow(bloomery, file, secret, seal);
      }
      FilterFiles saved = bloomery.files();
      VerificationResult result = saved.verify(file);
      if (seal && result.open().isPresent()) {
        saved.openLive(file, Duration.ZERO, OpenOptions.shared()).close();
        result = saved.verify(file);
      }
      String mismatch = "";
      if (result.damage().isEmpty() && secret.isPresent()) {
        mismatch = secret.get().mismatch(FilterFiles.inspect(file).spec().hashId());
      }
      return mismatch.isEmpty() ? Finding.of(file, result) : Finding.fault(file, mismatch);
    } catch (IOException e) {
      String next =
          e instanceof FilterFormatException format && format.reason() == Reason.NOT_A_FILTER
              ? "; if another system made it, say which, as in --format cassandra-4"
              : "";
      return Finding.fault(
          file, Failure.packing(file, e).orElseGet(() -> Failure.reason(e) + next));
    }
  }

  private static Finding lookAtWindow(
      Bloomery bloomery, Path file, Optional<SecretFile> secret, boolean seal)
      throws Failure, IOException {
    Optional<LiveState> open = openWindow(file);
    if (seal && open.isPresent()) {
      SlidingFilterFiles.seal(file, bloomery.providers());
      open = openWindow(file);
    }
    if (open.isPresent()) {
      return new Finding(file, null, List.of(), null, open.get(), false);
    }
    List<DamagedRegion> damage = SlidingFilterFiles.verify(file, bloomery.providers());
    if (damage.isEmpty() && secret.isPresent()) {
      String hashId =
          SlidingFilterFiles.open(file, bloomery.providers(), FilterLimits.HEAP).spec().hashId();
      String mismatch = secret.get().mismatch(hashId);
      if (!mismatch.isEmpty()) {
        return Finding.fault(file, mismatch);
      }
    }
    return Finding.damage(file, damage);
  }

  private static Optional<LiveState> openWindow(Path file) throws IOException {
    return SlidingFilterFiles.live(file).filter(LiveState::isOpen);
  }
}
