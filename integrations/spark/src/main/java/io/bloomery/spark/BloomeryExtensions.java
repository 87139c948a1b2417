package io.bloomery.spark;

import java.io.Serializable;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import scala.Function1;
import scala.Tuple3;
import scala.collection.immutable.Seq;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * The SQL functions, added to a session by {@code
 * spark.sql.extensions=io.bloomery.spark.BloomeryExtensions}:
 *
 * <ul>
 *   <li>{@code bloomery_agg(keys, expected, rate [, 'variant=blocked, keys=uuid, overfull=keep'])},
 *       an aggregate function whose result is the file of a filter, as binary; it fails if there
 *       are more distinct keys than expected, unless the options say {@code overfull=keep};
 *   <li>{@code bloomery_might_contain(filter, key)}, which is false only if the key is certainly
 *       not in the filter, and null for null; the filter is a constant or the result of a subquery.
 * </ul>
 */
public final class BloomeryExtensions extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {

  /** Called by Spark. */
  public BloomeryExtensions() {}

  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    extensions.injectFunction(function(FilterAgg.class, FilterAgg.NAME, new MakeAgg()));
    extensions.injectFunction(
        function(MightContain.class, MightContain.NAME, new MakeMightContain()));
    return BoxedUnit.UNIT;
  }

  private static Tuple3<FunctionIdentifier, ExpressionInfo, Function1<Seq<Expression>, Expression>>
      function(Class<?> type, String name, Function1<Seq<Expression>, Expression> make) {
    return new Tuple3<>(
        new FunctionIdentifier(name), new ExpressionInfo(type.getName(), name), make);
  }

  private static final class MakeAgg extends AbstractFunction1<Seq<Expression>, Expression>
      implements Serializable {

    private static final long serialVersionUID = 1;

    @Override
    public Expression apply(Seq<Expression> arguments) {
      return new FilterAgg(arguments);
    }
  }

  private static final class MakeMightContain extends AbstractFunction1<Seq<Expression>, Expression>
      implements Serializable {

    private static final long serialVersionUID = 1;

    @Override
    public Expression apply(Seq<Expression> arguments) {
      if (arguments.size() != 2) {
        throw new IllegalArgumentException(
            MightContain.NAME
                + " must have two arguments, a filter and a key, but has "
                + arguments.size());
      }
      return new MightContain(arguments.apply(0), arguments.apply(1));
    }
  }
}
