package io.bloomery.file;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What {@link FilterFiles#verify} has found in a file: the damage, or that there is none, and
 * whether a provider has checked the content.
 */
public final class VerificationResult {

  private final List<DamagedRegion> damage;
  private final @Nullable String unchecked; // null if the content was checked, or is damaged

  private VerificationResult(List<DamagedRegion> damage, @Nullable String unchecked) {
    this.damage = List.copyOf(damage);
    this.unchecked = unchecked;
  }

  /** A file whose content was checked, or whose damage leaves nothing to check. */
  static VerificationResult of(List<DamagedRegion> damage) {
    return new VerificationResult(damage, null);
  }

  /** A file that is as its checksums say, with content that nobody has looked at. */
  static VerificationResult unchecked(String reason) {
    return new VerificationResult(List.of(), reason);
  }

  /**
   * Returns the damaged regions in ascending order, each as small as checksums tell: a MiB of the
   * content, or several in a row, the header, the trailer, what is missing at the end, or what
   * follows it; none if the file is as it was written, as far as was checked.
   */
  public List<DamagedRegion> damage() {
    return damage;
  }

  /**
   * Returns why content that matches its checksums was not checked by the provider of its variant,
   * which is not there, or cannot read a pipe twice; empty if it was, or if there is damage.
   * Whoever computes the checksums anew can write content that {@link FilterFiles#open} refuses.
   */
  public Optional<String> unchecked() {
    return Optional.ofNullable(unchecked);
  }

  /**
   * Returns whether all was checked and nothing is damaged: {@link FilterFiles#open} takes the
   * file.
   */
  public boolean isSound() {
    return damage.isEmpty() && unchecked == null;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof VerificationResult that
        && damage.equals(that.damage)
        && Objects.equals(unchecked, that.unchecked);
  }

  @Override
  public int hashCode() {
    return 31 * damage.hashCode() + Objects.hashCode(unchecked);
  }

  /** Returns what was found as people read it, a line for each region. */
  @Override
  public String toString() {
    if (unchecked != null) {
      return "undamaged, but content unchecked: " + unchecked;
    }
    return damage.isEmpty()
        ? "sound"
        : damage.stream().map(DamagedRegion::toString).collect(Collectors.joining("\n"));
  }
}
