package io.bloomery.conformance.broken;

import static io.bloomery.conformance.broken.Broken.fault;

import io.bloomery.conformance.Rule;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.LivePayload;
import io.bloomery.filter.LivePuts;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.ThreadMode;
import io.bloomery.standard.StandardProvider;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Faults in puts into filters that live in their files. */
public final class BrokenLivePuts {

  private BrokenLivePuts() {}

  public static List<Broken> all() {
    return List.of(
        fault(
            Rule.R86,
            "a live batch loses its last hash",
            new Living(
                payload -> payload,
                right ->
                    new Changed(right) {
                      @Override
                      public int putAll(long[] hashes, int from, int to) {
                        return super.putAll(hashes, from, Math.max(from + 1, to - 1));
                      }
                    })),
        fault(
            Rule.R86,
            "tells of two equal live puts at once that each was new",
            new Living(
                payload -> new LivePayload(payload.segments(), mib -> {}, ThreadMode.CONFINED),
                right -> right)),
        fault(
            Rule.R86,
            "puts into the second of several segments what belongs into the first",
            new Living(
                payload -> {
                  ByteBuffer[] segments = payload.segments();
                  if (segments.length > 2) {
                    segments[0] = segments[1];
                  }
                  return new LivePayload(segments, mib -> {}, ThreadMode.SHARED);
                },
                right -> right)),
        fault(
            Rule.R86,
            "takes live puts after the end",
            new Living(
                payload -> payload,
                right ->
                    new Changed(right) {
                      @Override
                      public boolean put(long hash) {
                        try {
                          return super.put(hash);
                        } catch (FilterUnavailableException e) {
                          return true;
                        }
                      }
                    })));
  }

  private static class Changed implements LivePuts {
    private final LivePuts right;

    Changed(LivePuts right) {
      this.right = right;
    }

    @Override
    public boolean put(long hash) {
      return right.put(hash);
    }

    @Override
    public int putAll(long[] hashes, int from, int to) {
      return right.putAll(hashes, from, to);
    }
  }

  /** Puts otherwise into filters that live in their files. */
  private static final class Living extends PatchedProvider {
    private final StandardProvider right = new StandardProvider();
    private final UnaryOperator<LivePayload> payloads;
    private final UnaryOperator<LivePuts> puts;

    Living(UnaryOperator<LivePayload> payloads, UnaryOperator<LivePuts> puts) {
      this.payloads = payloads;
      this.puts = puts;
    }

    @Override
    public FilterView map(FilterSpec spec, FilterLayout layout, PayloadInput in)
        throws IOException {
      return right.map(spec, layout, in);
    }

    @Override
    public Optional<FilterLayout> liveLayout(FilterSpec spec) {
      return right.liveLayout(spec);
    }

    @Override
    public LivePuts livePuts(FilterSpec spec, FilterLayout layout, LivePayload payload) {
      return puts.apply(right.livePuts(spec, layout, payloads.apply(payload)));
    }
  }
}
