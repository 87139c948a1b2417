package io.bloomery.internal.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Properties;
import java.util.UUID;

/**
 * The note that this JVM has a live file open, by whatever name: a system property, which all
 * copies of this library share.
 */
final class OpenHere implements AutoCloseable {
  // decisions.md#a-writer-of-a-live-file-by-another-name-is-found-by-its-mapping

  private static final String PREFIX = "io.bloomery.open:";

  private final String property;
  private String value;

  private OpenHere(String property, String value) {
    this.property = property;
    this.value = value;
  }

  /**
   * Notes that a file is being opened. Only then may its state be read, which others change.
   *
   * @throws FileSystemException if it is open already, or being opened or closed
   */
  static OpenHere note(Path path, FileIdentity identity) throws IOException {
    Properties properties = System.getProperties();
    String property = PREFIX + (identity.key() == null ? path : identity.key());
    String busy = UUID.randomUUID().toString();
    Object before = properties.putIfAbsent(property, busy);
    // The key of a file that was deleted without being closed may be that of a new one, which does
    // not say the same.
    if (before != null
        && (before.equals(Uninterrupted.run(() -> value(path)))
            || !isOfOpen(before)
            || !properties.replace(property, before, busy))) {
      throw new FileSystemException(
          path.toString(),
          null,
          "must be open for writing once, but this process has it open by another name, as by a"
              + " hard link; use the filter or window that is open, or close it first");
    }
    return new OpenHere(property, busy);
  }

  private static Object value(Path path) throws IOException {
    try (FileChannel channel = FileInput.channel(path)) {
      LiveControl.State state = LiveControl.read(channel).state();
      return state.isOpen() ? value(state) : "";
    }
  }

  private static String value(LiveControl.State state) {
    return "open since " + state.since() + " by " + state.process();
  }

  private static boolean isOfOpen(Object value) {
    return value.toString().startsWith("open ");
  }

  /** Notes the state that the file has now. */
  void opened(LiveControl.State state) {
    become(value(state));
  }

  /** Notes that the state of the file is about to change. */
  void closing() {
    become(UUID.randomUUID().toString());
  }

  // Who took it over as the file says something else is not disturbed.
  private void become(String next) {
    if (System.getProperties().replace(property, value, next)) {
      value = next;
    }
  }

  @Override
  public void close() {
    System.getProperties().remove(property, value);
  }
}
