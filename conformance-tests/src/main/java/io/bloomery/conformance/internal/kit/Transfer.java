package io.bloomery.conformance.internal.kit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.ThreadMode;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;

/** A call that transfers content. */
public enum Transfer {
  READ {
    @Override
    long[] call(FilterProvider provider, Filter filter, FailingPayload payload) throws IOException {
      return Payload.of(
              provider.read(
                  filter.spec(), filter.layout(), payload, ThreadMode.SHARED, FilterLimits.HEAP))
          .words();
    }
  },
  MAP {
    @Override
    long[] call(FilterProvider provider, Filter filter, FailingPayload payload) throws IOException {
      FilterView view = provider.map(filter.spec(), filter.layout(), payload);
      assertEquals(filter.stats(), view.stats(), "statistics of what was mapped");
      return payload.words();
    }
  },
  CHECK {
    @Override
    long[] call(FilterProvider provider, Filter filter, FailingPayload payload) throws IOException {
      provider.check(filter.spec(), filter.layout(), payload);
      return payload.words();
    }
  },
  WRITE {
    @Override
    long[] call(FilterProvider provider, Filter filter, FailingPayload payload) throws IOException {
      filter.writePayload(payload);
      return payload.words();
    }

    @Override
    IOException failure(int number) {
      return new IOException("no more can be written");
    }
  };

  /** The number of ways to fail. */
  public static final int FAILURES = 4;

  private static final int LARGE = 1 << 12;

  /** Transfers the content of a filter, and returns it as it was transferred. */
  abstract long[] call(FilterProvider provider, Filter filter, FailingPayload payload)
      throws IOException;

  /** Returns an exception, some of which may be mistaken for the end of the content. */
  IOException failure(int number) {
    return switch (number) {
      case 0 -> new EOFException("the file has become shorter");
      case 1 -> new InterruptedIOException("interrupted");
      case 2 -> new FilterFormatException(FilterFormatException.Reason.TRUNCATED, 0, "no more");
      default -> new IOException("no more can be read");
    };
  }

  /**
   * Checks that a failure after some words reaches the caller, and leaves nothing behind, neither
   * in the filter nor in the provider.
   */
  public void checkFailing(
      FilterProvider provider, Filter filter, long[] words, int at, int failure) {
    checkFails(provider, filter, new FailingPayload(words, at, failure(failure)));
    // What is left in a large one shows in the last, or when it fails again.
    if (words.length < LARGE || failure == FAILURES - 1) {
      check(provider, filter, words);
    }
  }

  /** Checks that a failure after some words reaches the caller. */
  public void fail(FilterProvider provider, Filter filter, long[] words, int at) {
    checkFails(provider, filter, new FailingPayload(words, at, failure(FAILURES - 1)));
  }

  private void checkFails(FilterProvider provider, Filter filter, FailingPayload payload) {
    IOException thrown = null;
    try {
      call(provider, filter, payload);
    } catch (IOException e) {
      thrown = e;
    }
    if (payload.failure() instanceof FilterFormatException && thrown != null) {
      assertInstanceOf(FilterFormatException.class, thrown, () -> "what " + this + " throws");
    } else if (payload.hasFailed()) {
      assertSame(payload.failure(), thrown, () -> "what " + this + " throws where " + payload);
    } else {
      assertNull(thrown, () -> this + " without a failure");
    }
  }

  private void check(FilterProvider provider, Filter filter, long[] words) {
    try {
      FailingPayload right = FailingPayload.right(words);
      assertArrayEquals(
          words, call(provider, filter, right), () -> "words of " + this + " after a failure");
    } catch (IOException e) {
      throw new AssertionError(this + " must work after a failure", e);
    }
  }
}
