package io.bloomery.conformance.broken;

import static io.bloomery.conformance.broken.Broken.fault;

import io.bloomery.conformance.Rule;
import java.util.List;

/** Faults that show when something was done 256 times, and in threads that are interrupted. */
public final class BrokenAfterMany {

  private BrokenAfterMany() {}

  public static List<Broken> all() {
    return List.of(
        fault(
            Rule.R07,
            "the 256th clear does nothing",
            Patch.clear(
                filter -> {
                  if (!is256th(filter)) {
                    filter.inner.clear();
                  }
                })),
        fault(
            Rule.R08,
            "the 256th copy is empty",
            Patch.copy(
                filter -> {
                  PatchedFilter copy = filter.rightCopy();
                  if (is256th(filter)) {
                    copy.inner.clear();
                  }
                  return copy;
                })),
        fault(
            Rule.R09,
            "the 256th statistics have a bit more",
            Patch.stats(
                (filter, stats) -> {
                  if (is256th(filter)) {
                    filter.inner.put(filter.count);
                  }
                  return filter.inner.stats();
                })),
        fault(
            Rule.R10,
            "loses what an interrupted thread puts",
            Patch.put(
                (filter, hash) ->
                    Thread.currentThread().isInterrupted()
                        ? !filter.mightContain(hash)
                        : filter.inner.put(hash))),
        fault(
            Rule.R10,
            "an interrupted thread cannot put",
            Patch.put(
                (filter, hash) -> {
                  if (Thread.currentThread().isInterrupted()) {
                    throw new IllegalStateException("interrupted while waiting for a lock");
                  }
                  return filter.inner.put(hash);
                })),
        fault(
            Rule.R27,
            "the 256th merge does nothing",
            Patch.merge(
                (filter, other) -> {
                  if (!is256th(filter)) {
                    filter.rightMerge(other);
                  }
                })));
  }

  private static boolean is256th(PatchedFilter filter) {
    return ++filter.count % 256 == 0;
  }
}
