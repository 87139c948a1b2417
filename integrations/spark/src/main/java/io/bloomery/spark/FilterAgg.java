package io.bloomery.spark;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.aggregate.ImperativeAggregate;
import org.apache.spark.sql.catalyst.expressions.aggregate.TypedImperativeAggregate;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * The SQL function {@code bloomery_agg(keys, expected, rate [, options])}: the file of a filter of
 * all keys.
 */
@SuppressWarnings("serial") // Spark serializes all expressions, in sequences that are serializable
final class FilterAgg extends TypedImperativeAggregate<FilterBuffer> implements Serializable {

  static final String NAME = "bloomery_agg";

  private static final long serialVersionUID = 1;
  private static final int CHILDREN_AND_OFFSETS = 3;

  private final Seq<Expression> arguments;
  private final int mutableOffset;
  private final int inputOffset;
  private transient Arguments.@Nullable Built built; // null before its first use

  FilterAgg(Seq<Expression> arguments) {
    this(arguments, 0, 0);
  }

  // Public, because Spark copies expressions by their constructor.
  public FilterAgg(Seq<Expression> arguments, int mutableOffset, int inputOffset) {
    this.arguments = arguments;
    this.mutableOffset = mutableOffset;
    this.inputOffset = inputOffset;
  }

  private Arguments.Built built() {
    Arguments.Built made = built;
    if (made == null) {
      built = made = Arguments.of(arguments);
    }
    return made;
  }

  @Override
  public TypeCheckResult checkInputDataTypes() {
    try {
      built();
      return TypeCheckResult.TypeCheckSuccess$.MODULE$;
    } catch (IllegalArgumentException e) {
      return new TypeCheckResult.TypeCheckFailure(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public FilterBuffer createAggregationBuffer() {
    return new FilterBuffer(built().plan());
  }

  @Override
  public FilterBuffer update(FilterBuffer buffer, InternalRow row) {
    Object key = arguments.apply(0).eval(row);
    if (key == null) {
      buffer.putNull();
    } else {
      buffer.put(built().hash().hashOfCatalyst(key, built().type()));
    }
    return buffer;
  }

  @Override
  public FilterBuffer merge(FilterBuffer one, FilterBuffer other) {
    return one.merge(other);
  }

  @Override
  public Object eval(FilterBuffer buffer) {
    return KeyAggregator.file(buffer, built().keepsOverfull());
  }

  @Override
  public byte[] serialize(FilterBuffer buffer) {
    try {
      return buffer.toBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public FilterBuffer deserialize(byte[] bytes) {
    try {
      return FilterBuffer.readFrom(new ByteArrayInputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean nullable() {
    return false;
  }

  @Override
  public DataType dataType() {
    return DataTypes.BinaryType;
  }

  @Override
  public String prettyName() {
    return NAME;
  }

  @Override
  public Seq<Expression> children() {
    return arguments;
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> children) {
    return new FilterAgg(children, mutableOffset, inputOffset);
  }

  @Override
  public int mutableAggBufferOffset() {
    return mutableOffset;
  }

  @Override
  public ImperativeAggregate withNewMutableAggBufferOffset(int offset) {
    return new FilterAgg(arguments, offset, inputOffset);
  }

  @Override
  public int inputAggBufferOffset() {
    return inputOffset;
  }

  @Override
  public ImperativeAggregate withNewInputAggBufferOffset(int offset) {
    return new FilterAgg(arguments, mutableOffset, offset);
  }

  @Override
  public int productArity() {
    return CHILDREN_AND_OFFSETS;
  }

  @Override
  public Object productElement(int index) {
    return switch (index) {
      case 0 -> arguments;
      case 1 -> mutableOffset;
      case 2 -> inputOffset;
      default -> throw new IndexOutOfBoundsException(index);
    };
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof FilterAgg;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FilterAgg that
        && that.arguments.equals(arguments)
        && that.mutableOffset == mutableOffset
        && that.inputOffset == inputOffset;
  }

  @Override
  public int hashCode() {
    return Objects.hash(arguments, mutableOffset, inputOffset);
  }
}
