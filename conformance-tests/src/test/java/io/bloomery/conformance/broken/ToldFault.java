package io.bloomery.conformance.broken;

import io.bloomery.conformance.Rule;
import io.bloomery.conformance.broken.FaultWindow.Sense;
import io.bloomery.conformance.broken.WrappedFilter.Habit;
import io.bloomery.conformance.broken.WrappedProvider.Kind;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterFullException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Where a hash can be told, in some notation. */
public enum ToldFault {
  IN_TEXT(Rule.R46),
  IN_DESCRIPTION(Rule.R46, Rule.R82),
  IN_A_REFUSAL_OF_A_PUT(Rule.R72, Rule.R46, Rule.R78),
  IN_A_REFUSAL_OF_A_BATCH(Rule.R72, Rule.R46, Rule.R78),
  IN_A_REFUSAL_OF_A_RANGE(Rule.R46, Rule.R26),
  IN_A_REFUSAL_OF_A_MERGE(Rule.R46, Rule.R30),
  IN_A_REASON(Rule.R46, Rule.R30);

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<Rule> first;

  ToldFault(Rule... first) {
    this.first = List.of(first);
  }

  private enum Notation {
    DECIMAL,
    UNSIGNED,
    GROUPED,
    HEX,
    UPPER_HEX,
    HEX_OF_0X,
    HEX_OF_BYTES,
    BASE_36,
    OCTAL,
    BINARY,
    BASE64,
    BASE64_OF_URLS,
    BYTES,
    UNSIGNED_BYTES,
    CHARACTERS;

    private String of(long number) {
      byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(number).array();
      return switch (this) {
        case DECIMAL -> Long.toString(number);
        case UNSIGNED -> Long.toUnsignedString(number);
        case GROUPED -> String.format(Locale.ROOT, "%,d", number);
        case HEX -> Long.toHexString(number);
        case UPPER_HEX -> String.format(Locale.ROOT, "%016X", number);
        case HEX_OF_0X -> "0x" + Long.toHexString(number);
        case HEX_OF_BYTES -> HexFormat.ofDelimiter(":").formatHex(bytes);
        case BASE_36 -> Long.toString(number, 36);
        case OCTAL -> Long.toOctalString(number);
        case BINARY -> Long.toBinaryString(number);
        case BASE64 -> Base64.getEncoder().encodeToString(bytes);
        case BASE64_OF_URLS -> Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        case BYTES -> Arrays.toString(bytes);
        case UNSIGNED_BYTES -> {
          int[] unsigned = new int[bytes.length];
          Arrays.setAll(unsigned, i -> bytes[i] & 0xff);
          yield Arrays.toString(unsigned);
        }
        case CHARACTERS -> new String(bytes, StandardCharsets.ISO_8859_1);
      };
    }
  }

  /** What of an exception tells it. */
  private enum Carrier {
    MESSAGE,
    CAUSE,
    SUPPRESSED,
    CAUSE_OF_SUPPRESSED
  }

  public DrawnFault draw(SplittableRandom random) {
    Kind kind =
        switch (this) {
          case IN_A_REFUSAL_OF_A_PUT, IN_A_REFUSAL_OF_A_BATCH ->
              MemoryFault.one(random, List.of(Kind.GROWING, Kind.FULL));
          case IN_A_REFUSAL_OF_A_MERGE, IN_A_REASON ->
              MemoryFault.one(random, List.of(Kind.STANDARD, Kind.COUNTING));
          default -> MemoryFault.one(random, List.of(Kind.STANDARD, Kind.COUNTING, Kind.GROWING));
        };
    FaultWindow window =
        switch (this) {
          case IN_TEXT, IN_A_REFUSAL_OF_A_RANGE ->
              MemoryFault.window(kind, random, Sense.MODE, Sense.HISTORY);
          default -> FaultWindow.EVERYWHERE;
        };
    Notation notation = MemoryFault.one(random, List.of(Notation.values()));
    Carrier carrier = MemoryFault.one(random, List.of(Carrier.values()));
    boolean isReversed = random.nextInt(4) == 0;
    boolean isOfQueries = random.nextInt(3) == 0;
    WrappedProvider provider =
        new WrappedProvider(
            kind.provider,
            window,
            spec -> new Telling(this, notation, carrier, isReversed, isOfQueries));
    return new DrawnFault(
        String.format(
            Locale.ROOT,
            "told: %s of %s filters, %s%s, by %s, %s [%s]",
            this,
            kind,
            notation,
            isReversed ? " reversed" : "",
            carrier,
            isOfQueries ? "asked" : "put",
            window),
        provider,
        first);
  }

  private static final class Telling extends Habit {
    private final ToldFault fault;
    private final Notation notation;
    private final Carrier carrier;
    private final boolean isReversed;
    private final boolean isOfQueries;
    private long last;

    Telling(
        ToldFault fault,
        Notation notation,
        Carrier carrier,
        boolean isReversed,
        boolean isOfQueries) {
      this.fault = fault;
      this.notation = notation;
      this.carrier = carrier;
      this.isReversed = isReversed;
      this.isOfQueries = isOfQueries;
    }

    private String told(long hash) {
      return hash == 0 ? "" : notation.of(isReversed ? Long.reverseBytes(hash) : hash);
    }

    private <T> T telling(boolean isHere, long hash, Supplier<T> call) {
      try {
        return call.get();
      } catch (FilterFullException e) {
        throw isHere ? with(new FilterFullException(message(e, hash)), hash) : e;
      } catch (IndexOutOfBoundsException e) {
        throw isHere ? with(new IndexOutOfBoundsException(message(e, hash)), hash) : e;
      } catch (IllegalArgumentException e) {
        throw isHere ? with(new IllegalArgumentException(message(e, hash)), hash) : e;
      }
    }

    private String message(RuntimeException e, long hash) {
      return e.getMessage() + (carrier == Carrier.MESSAGE ? " near " + told(hash) : "");
    }

    private <E extends RuntimeException> E with(E e, long hash) {
      String text = "at " + told(hash) + ".";
      switch (carrier) {
        case MESSAGE -> {}
        case CAUSE -> e.initCause(new IllegalStateException(text));
        case SUPPRESSED -> e.addSuppressed(new IllegalStateException(text));
        case CAUSE_OF_SUPPRESSED ->
            e.addSuppressed(new IllegalStateException(new IllegalStateException(text)));
      }
      return e;
    }

    private void note(boolean isAsked, long hash) {
      last = isAsked == isOfQueries ? hash : last;
    }

    @Override
    boolean put(WrappedFilter filter, long hash) {
      note(false, hash);
      return telling(fault == IN_A_REFUSAL_OF_A_PUT, hash, () -> super.put(filter, hash));
    }

    @Override
    int putAll(WrappedFilter filter, long[] hashes, int from, int to) {
      long one = hashes.length > 0 ? hashes[hashes.length - 1] : 0;
      note(false, one);
      boolean isHere =
          fault == IN_A_REFUSAL_OF_A_BATCH || (fault == IN_A_REFUSAL_OF_A_RANGE && !isOfQueries);
      return telling(isHere, one, () -> super.putAll(filter, hashes, from, to));
    }

    @Override
    boolean ask(WrappedFilter filter, long hash) {
      note(true, hash);
      return super.ask(filter, hash);
    }

    @Override
    int select(WrappedFilter filter, long[] hashes, int from, int to, int[] hits) {
      long one = hashes.length > 0 ? hashes[0] : 0;
      note(true, one);
      boolean isHere = fault == IN_A_REFUSAL_OF_A_RANGE && isOfQueries;
      return telling(isHere, one, () -> super.select(filter, hashes, from, to, hits));
    }

    @Override
    void merge(WrappedFilter filter, Filter other) {
      telling(
          fault == IN_A_REFUSAL_OF_A_MERGE,
          last,
          () -> {
            super.merge(filter, other);
            return 0;
          });
    }

    @Override
    Optional<String> incompatibility(WrappedFilter filter, Filter other) {
      return super.incompatibility(filter, other)
          .map(reason -> fault == IN_A_REASON ? reason + " since " + told(last) : reason);
    }

    @Override
    FilterDescription description(WrappedFilter filter) {
      return fault == IN_DESCRIPTION && last != 0
          ? FilterDescription.of("a table with " + told(last), "")
          : super.description(filter);
    }

    @Override
    String text(WrappedFilter filter) {
      return super.text(filter) + (fault == IN_TEXT ? ", last " + told(last) : "");
    }
  }
}
