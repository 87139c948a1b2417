package io.bloomery.internal;

import java.nio.file.FileSystemException;
import org.jspecify.annotations.Nullable;

/** Thrown if sound content, of a file or not, does not fit in the heap of this JVM. */
public final class ContentTooLargeException extends FileSystemException {

  private static final long serialVersionUID = 1;

  private final String problem;
  private final String next;

  private ContentTooLargeException(@Nullable String file, String problem, String next) {
    super(file, null, problem + next);
    this.problem = problem;
    this.next = next;
  }

  /** Makes one of content that needs these bytes of memory. */
  public static ContentTooLargeException of(long bytes) {
    return new ContentTooLargeException(
        null,
        "content needs "
            + bytes
            + " bytes of memory, but the heap is limited to "
            + Runtime.getRuntime().maxMemory()
            + " for that and all else in it; give Java more, by -Xmx",
        "");
  }

  /** Returns the same about the content of a file or folder, whose name begins the message. */
  public ContentTooLargeException in(Object name) {
    return new ContentTooLargeException(name.toString(), problem, next);
  }

  /** Returns the same with what can be done instead of giving Java more memory. */
  public ContentTooLargeException or(String instead) {
    return new ContentTooLargeException(getFile(), problem, ", or " + instead);
  }
}
