package io.bloomery.spark;

import java.util.Locale;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;

/** The arguments of {@code bloomery_agg}: keys, their number, the rate, and options. */
final class Arguments {

  static final String USAGE =
      "bloomery_agg(keys, expected, rate [, 'variant=blocked, keys=uuid, overfull=keep'])";

  private static final int EXPECTED = 1;
  private static final int RATE = 2;
  private static final int OPTIONS = 3;

  private Arguments() {}

  /**
   * Returns the plan of the filter and the hash function of the keys.
   *
   * @throws IllegalArgumentException if the arguments are invalid
   */
  static Built of(Seq<Expression> arguments) {
    if (arguments.size() < OPTIONS || arguments.size() > OPTIONS + 1) {
      throw new IllegalArgumentException(
          "bloomery_agg must have three or four arguments, but has "
              + arguments.size()
              + ": "
              + USAGE);
    }
    DataType type = arguments.apply(0).dataType();
    Number expected = number(arguments.apply(EXPECTED), "expected");
    Number rate = number(arguments.apply(RATE), "rate");
    FilterRequest request = FilterRequest.expect(expected.longValue()).fpp(rate.doubleValue());
    Optional<String> options =
        arguments.size() > OPTIONS
            ? Optional.of(String.valueOf(constant(arguments.apply(OPTIONS), "options")))
            : Optional.empty();
    request = with(request, options.orElse(""));
    KeyType natural = KeyType.of(type);
    KeyType asked = request.keys();
    SparkKeyHash hash = request.hash(asked == null ? natural : asked.of(natural, type));
    BuildPlan plan = request.plan(hash);
    plan.checkMergeable();
    long bytes = plan.sizeInBytes(plan.spec());
    if (bytes > BloomerySpark.MAX_BYTES) {
      throw new IllegalArgumentException(
          "a value must have at most "
              + BloomerySpark.MAX_BYTES
              + " bytes, but the filter has "
              + bytes
              + "; build it in shards, by BloomerySpark.buildShards");
    }
    return new Built(plan, hash, type, request.keepsOverfull());
  }

  /** The parsed arguments. */
  record Built(BuildPlan plan, SparkKeyHash hash, DataType type, boolean keepsOverfull) {}

  private static FilterRequest with(FilterRequest request, String options) {
    FilterRequest changed = request;
    for (String option : options.split(",", -1)) {
      String[] parts = option.trim().split("=", 2);
      String name = parts[0].trim().toLowerCase(Locale.ROOT);
      String value = parts.length > 1 ? parts[1].trim() : "";
      if (name.equals("variant")) {
        changed = changed.variant(value);
      } else if (name.equals("keys")) {
        changed = changed.keys(KeyType.parse(value.toLowerCase(Locale.ROOT)));
      } else if (name.equals("overfull") && value.equalsIgnoreCase("keep")) {
        changed = changed.keepOverfull();
      } else if (name.contains("secret")) {
        throw new IllegalArgumentException(
            "SQL text must not have a secret, since it is kept in plans and logs; use"
                + " BloomerySpark.build");
      } else if (!name.isEmpty()) {
        throw new IllegalArgumentException(
            "options must be variant=..., keys=... and overfull=keep, but one is '"
                + option.trim()
                + "'");
      }
    }
    return changed;
  }

  private static Number number(Expression argument, String name) {
    Object value = constant(argument, name);
    if (value instanceof Decimal decimal) {
      return decimal.toJavaBigDecimal();
    } else if (value instanceof Number number) {
      return number;
    }
    throw new IllegalArgumentException(
        name + " must be a number, but is " + argument.dataType().catalogString() + ": " + USAGE);
  }

  private static Object constant(Expression argument, String name) {
    @Nullable Object value = argument.foldable() ? argument.eval(null) : null;
    if (value == null) {
      throw new IllegalArgumentException(
          name + " must be constant and not null, but is " + argument.sql() + ": " + USAGE);
    }
    return value;
  }
}
