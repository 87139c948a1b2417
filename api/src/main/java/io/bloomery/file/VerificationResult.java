package io.bloomery.file;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The result of {@link FilterFiles#verify} for a file: its damage, if any, and whether a provider
 * has checked the content.
 */
public final class VerificationResult {

  private final List<DamagedRegion> damage;
  private final @Nullable String unchecked; // null if the content was checked, or is damaged
  private final @Nullable LiveState open; // null if the checksums were compared

  private VerificationResult(
      List<DamagedRegion> damage, @Nullable String unchecked, @Nullable LiveState open) {
    this.damage = List.copyOf(damage);
    this.unchecked = unchecked;
    this.open = open;
  }

  /** Returns the result for a file whose content was checked, or is damaged. */
  static VerificationResult of(List<DamagedRegion> damage) {
    return new VerificationResult(damage, null, null);
  }

  /**
   * Returns the result for a file that matches its checksums, but whose content was not checked.
   */
  static VerificationResult unchecked(String reason) {
    return new VerificationResult(List.of(), reason, null);
  }

  /** Returns the result for a live file that is open for writing, and not damaged otherwise. */
  static VerificationResult open(LiveState state) {
    return new VerificationResult(List.of(), null, state);
  }

  /**
   * Returns the damaged regions in ascending order, as precisely as checksums locate them: one or
   * several consecutive MiB of the content, the header, the trailer, a missing end, or bytes after
   * the end. The list is empty if no damage was found.
   */
  public List<DamagedRegion> damage() {
    return damage;
  }

  /**
   * Returns the reason why content that matches its checksums was not checked by the provider of
   * its variant: the provider is not installed, or a pipe cannot be read twice. Empty if the
   * content was checked, or if there is damage. Checksums alone do not protect against forgery:
   * with recomputed checksums, content that {@link FilterFiles#open} rejects matches them.
   */
  public Optional<String> unchecked() {
    return Optional.ofNullable(unchecked);
  }

  /**
   * Returns the state of a live file that is open for writing, or was when its writer ended: its
   * checksums are not made yet, and it has the length and the header of a filter. Empty if the
   * checksums were compared.
   */
  public Optional<LiveState> open() {
    return Optional.ofNullable(open);
  }

  /**
   * Returns whether the content was checked and nothing is damaged, so that {@link
   * FilterFiles#open} accepts the file.
   */
  public boolean isSound() {
    return damage.isEmpty() && unchecked == null && open == null;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof VerificationResult that
        && damage.equals(that.damage)
        && Objects.equals(unchecked, that.unchecked)
        && Objects.equals(open, that.open);
  }

  @Override
  public int hashCode() {
    return 31 * damage.hashCode() + Objects.hash(unchecked, open);
  }

  /** Returns the result as text, one line per damaged region. */
  @Override
  public String toString() {
    if (unchecked != null) {
      return "undamaged, but content unchecked: " + unchecked;
    }
    if (open != null) {
      return open.toString();
    }
    return damage.isEmpty()
        ? "sound"
        : damage.stream().map(DamagedRegion::toString).collect(Collectors.joining("\n"));
  }
}
