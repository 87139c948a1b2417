package com.example.events;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.util.Collector;

/**
 * Lets an id pass that has not come before. Behind {@code keyBy} each task has a filter of the ids
 * that it gets; a checkpoint has the bytes of all of them, and each task that is restored, however
 * many there are, begins with their union.
 */
public final class FirstOfEachId extends RichFlatMapFunction<String, String>
    implements CheckpointedFunction {

  private static final long serialVersionUID = 1;

  private final long expectedIds;
  private transient BloomFilter<String> seen;
  private transient ListState<byte[]> saved;

  /** Expects so many different ids in all tasks together, since one may get what all had. */
  public FirstOfEachId(long expectedIds) {
    this.expectedIds = expectedIds;
  }

  @Override
  public void flatMap(String id, Collector<String> out) {
    if (seen.put(id)) {
      out.collect(id);
    }
  }

  @Override
  public void snapshotState(FunctionSnapshotContext context) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    seen.writeTo(bytes);
    saved.update(List.of(bytes.toByteArray()));
  }

  @Override
  public void initializeState(FunctionInitializationContext context) throws Exception {
    seen = Bloomery.strings().expect(expectedIds).fpp(0.001).create();
    saved =
        context
            .getOperatorStateStore()
            .getUnionListState(
                new ListStateDescriptor<>(
                    "seen", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
    for (byte[] bytes : saved.get()) {
      seen.putAll(Bloomery.strings().read(new ByteArrayInputStream(bytes)));
    }
  }
}
