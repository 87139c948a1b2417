package io.bloomery.cli;

/**
 * The script that started this JVM, if one did. It cannot tell the exit code of a JVM that did not
 * start from one of the command unless these differ.
 */
final class Launcher {

  /** The number of its process, 0 if that is not known, or null if there is none. */
  private static final Long PROCESS = Long.getLong("bloomery.launcher");

  /** No JVM ends by itself with a code from here up to those of signals. */
  private static final int FIRST_CODE = 100;

  /** The code a shell reports for a program ended by SIGTERM. */
  private static final int TERMINATED = 143;

  private Launcher() {}

  /** Makes this JVM end once the launcher was killed in a way that it could not pass on. */
  @SuppressWarnings("FutureReturnValueIgnored")
  static void watch() {
    if (PROCESS != null && PROCESS > 0) {
      ProcessHandle.of(PROCESS)
          .ifPresent(launcher -> launcher.onExit().thenRun(() -> System.exit(TERMINATED)));
    }
  }

  /** Returns the exit code of this JVM for one of the command. */
  static int exitCode(int code) {
    return PROCESS == null || code >= FIRST_CODE ? code : FIRST_CODE + code;
  }
}
