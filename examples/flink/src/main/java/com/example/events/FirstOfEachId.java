package com.example.events;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
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
 * many there are, begins with their union. Filters that were made for another number of ids cannot
 * be merged, and do not change: they are asked beside the one that takes new ids.
 */
public final class FirstOfEachId extends RichFlatMapFunction<String, String>
    implements CheckpointedFunction {

  private static final long serialVersionUID = 1;

  private final long expectedIds;
  private transient List<BloomFilter<String>> seen; // the first takes new ids
  private transient ListState<byte[]> saved;

  /**
   * Expects so many different ids in all tasks together, since one may get what all had. Whoever
   * expects more after a restore gets a filter of that size from there on.
   */
  public FirstOfEachId(long expectedIds) {
    this.expectedIds = expectedIds;
  }

  @Override
  public void flatMap(String id, Collector<String> out) {
    boolean isOld = seen.stream().skip(1).anyMatch(filter -> filter.mightContain(id));
    if (!isOld && seen.get(0).put(id)) {
      out.collect(id);
    }
  }

  @Override
  public void snapshotState(FunctionSnapshotContext context) throws Exception {
    List<byte[]> all = new ArrayList<>();
    for (BloomFilter<String> filter : seen) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      filter.writeTo(bytes);
      all.add(bytes.toByteArray());
    }
    saved.update(all);
  }

  @Override
  public void initializeState(FunctionInitializationContext context) throws Exception {
    seen = new ArrayList<>();
    seen.add(Bloomery.strings().expect(expectedIds).fpp(0.001).create());
    saved =
        context
            .getOperatorStateStore()
            .getUnionListState(
                new ListStateDescriptor<>(
                    "seen", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
    for (byte[] bytes : saved.get()) {
      BloomFilter<String> one = Bloomery.strings().read(new ByteArrayInputStream(bytes));
      seen.stream()
          .filter(filter -> filter.spec().equals(one.spec()))
          .findFirst()
          .ifPresentOrElse(filter -> filter.putAll(one), () -> seen.add(one));
    }
  }
}
