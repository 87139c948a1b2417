package io.bloomery.spark;

import io.bloomery.file.FilterFiles;
import io.bloomery.file.OpenOptions;
import io.bloomery.filter.Filter;
import java.io.IOException;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.PlanExpression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The SQL function {@code bloomery_might_contain(filter, key)}: whether a key might be in the file
 * of a filter.
 */
@SuppressWarnings("serial") // Spark serializes all expressions, without declaring their class so
final class MightContain extends Expression implements CodegenFallback, Serializable {
  // decisions.md#sql-functions-are-expressions-not-udfs

  static final String NAME = "bloomery_might_contain";

  private static final long serialVersionUID = 1;

  private final Expression left;
  private final Expression right;
  private transient @Nullable Filter filter; // null before the first key
  private transient @Nullable SparkKeyHash hash; // null before the first key
  private transient boolean isNull;

  // Public, because Spark copies expressions by their constructor.
  public MightContain(Expression left, Expression right) {
    this.left = left;
    this.right = right;
  }

  /**
   * Rejects filters whose keys no column can have.
   *
   * @throws IllegalArgumentException for such a filter
   */
  static void checkKnown(String hashId) {
    if (Arrays.stream(KeyType.values()).noneMatch(type -> type.hashId().equals(hashId))) {
      KeyType.TEXT.askedOf(hashId); // throws
    }
  }

  @Override
  public TypeCheckResult checkInputDataTypes() {
    if (!(left.dataType() instanceof BinaryType)) {
      return new TypeCheckResult.TypeCheckFailure(
          NAME
              + " must be given the bytes of a filter, but is given "
              + left.dataType().catalogString()
              + ": "
              + NAME
              + "((SELECT bloomery_agg(...) FROM ...), key)");
    }
    if (!left.foldable() && !(left instanceof PlanExpression)) {
      return new TypeCheckResult.TypeCheckFailure(
          NAME
              + " must be given one filter for all rows, by a constant or a subquery, but is given "
              + left.sql());
    }
    try {
      KeyType.of(right.dataType());
      return TypeCheckResult.TypeCheckSuccess$.MODULE$;
    } catch (IllegalArgumentException e) {
      return new TypeCheckResult.TypeCheckFailure(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public @Nullable Object eval(InternalRow row) {
    if (filter == null && !isNull) {
      open();
    }
    Object key = isNull ? null : right.eval(row);
    return key == null || filter == null || hash == null
        ? null
        : (Object) filter.mightContain(hash.hashOfCatalyst(key, right.dataType()));
  }

  private void open() {
    byte[] bytes = (byte[]) left.eval(null);
    if (bytes == null) {
      isNull = true;
      return;
    }
    Filter opened;
    try {
      opened = FilterFiles.installed().read(ByteBuffer.wrap(bytes), OpenOptions.confined());
    } catch (IOException e) {
      throw new IllegalArgumentException(
          NAME + " must be given the bytes of a filter: " + e.getMessage(), e);
    }
    hash = new SparkKeyHash(KeyType.of(right.dataType()).askedOf(opened.spec().hashId()), null);
    filter = opened;
  }

  @Override
  public ExprCode doGenCode(CodegenContext context, ExprCode code) {
    return CodegenFallback.super.doGenCode(context, code);
  }

  @Override
  public Seq<Expression> children() {
    return CollectionConverters.asScala(List.of(left, right)).toList();
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> children) {
    return new MightContain(children.apply(0), children.apply(1));
  }

  @Override
  public boolean nullable() {
    return true;
  }

  @Override
  public DataType dataType() {
    return DataTypes.BooleanType;
  }

  @Override
  public String prettyName() {
    return NAME;
  }

  @Override
  public int productArity() {
    return 2;
  }

  @Override
  public Object productElement(int index) {
    return switch (index) {
      case 0 -> left;
      case 1 -> right;
      default -> throw new IndexOutOfBoundsException(index);
    };
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof MightContain;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof MightContain that && that.left.equals(left) && that.right.equals(right);
  }

  @Override
  public int hashCode() {
    return Objects.hash(left, right);
  }
}
