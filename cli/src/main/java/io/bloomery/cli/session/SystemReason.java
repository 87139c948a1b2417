package io.bloomery.cli.session;

import java.util.Locale;

/** What reasons of the operating system say, for which Java has no exceptions of their own. */
final class SystemReason {

  private SystemReason() {}

  /** Returns whether there is no room on a disk, for names or for bytes. */
  static boolean isFull(String reason) {
    String words = reason.toLowerCase(Locale.ROOT);
    return words.contains("no space") || words.contains("enough space") || words.contains("quota");
  }

  /** Returns whether a reason is of this library, whose messages name the next step. */
  static boolean namesNextStep(String reason) {
    return reason.contains("; ");
  }
}
