package io.bloomery.internal;

import java.io.IOException;

/** Thrown if sound content does not fit in the heap of this JVM. */
public final class ContentTooLargeException extends IOException {

  private static final long serialVersionUID = 1;

  private final String file;
  private final String problem;
  private final String next;

  private ContentTooLargeException(String file, String problem, String next) {
    super(file + problem + next);
    this.file = file;
    this.problem = problem;
    this.next = next;
  }

  /** Makes one of content that needs these bytes of memory. */
  public static ContentTooLargeException of(long bytes) {
    return new ContentTooLargeException(
        "",
        "content needs "
            + bytes
            + " bytes of memory, but the heap is limited to "
            + Runtime.getRuntime().maxMemory()
            + " for that and all else in it; give Java more, by -Xmx",
        "");
  }

  /** Returns the same about the content of a file or folder, whose name begins the message. */
  public ContentTooLargeException in(Object name) {
    return new ContentTooLargeException(name + ": ", problem, next);
  }

  /** Returns the same with what can be done instead of giving Java more memory. */
  public ContentTooLargeException or(String instead) {
    return new ContentTooLargeException(file, problem, ", or " + instead);
  }

  /** Returns the message without the name of the file. */
  public String detail() {
    return problem + next;
  }
}
