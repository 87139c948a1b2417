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

  private VerificationResult(List<DamagedRegion> damage, @Nullable String unchecked) {
    this.damage = List.copyOf(damage);
    this.unchecked = unchecked;
  }

  /** Returns the result for a file whose content was checked, or is damaged. */
  static VerificationResult of(List<DamagedRegion> damage) {
    return new VerificationResult(damage, null);
  }

  /**
   * Returns the result for a file that matches its checksums, but whose content was not checked.
   */
  static VerificationResult unchecked(String reason) {
    return new VerificationResult(List.of(), reason);
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
   * Returns whether the content was checked and nothing is damaged, so that {@link
   * FilterFiles#open} accepts the file.
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

  /** Returns the result as text, one line per damaged region. */
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
