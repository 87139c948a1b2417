package com.example.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class FirstOfEachIdTest {

  private static final int IDS = 3_000;

  /** How many ids a job sends before it waits for a checkpoint, which the savepoint is. */
  private static final int SENT_BEFORE = 1_000;

  /** What has passed, in this JVM, which all tasks are in. */
  private static final Queue<String> PASSED = new ConcurrentLinkedQueue<>();

  @TempDir private Path folder;

  /** Sends all ids, and all of them again. */
  private static JobClient start(
      Configuration configuration, int parallelism, int expected, RateLimiterStrategy<?> limit)
      throws Exception {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    environment.setParallelism(parallelism);
    environment
        .fromSource(
            new DataGeneratorSource<>(i -> "id-" + i % IDS, 2 * IDS, limit, Types.STRING),
            WatermarkStrategy.noWatermarks(),
            "ids")
        .uid("ids")
        .keyBy(id -> id)
        .flatMap(new FirstOfEachId(expected))
        .uid("first")
        .map(
            (MapFunction<String, String>)
                id -> {
                  PASSED.add(id);
                  return id;
                })
        .returns(Types.STRING)
        .sinkTo(new DiscardingSink<>());
    return environment.executeAsync();
  }

  /** With other numbers of tasks and of expected ids each time. */
  @Test
  @Timeout(600)
  void afterEachRestoreNoIdPassesAgain() throws Exception {
    PASSED.clear();
    Configuration configuration = new Configuration();
    int before = SENT_BEFORE / 2;
    for (int job = 1; job <= 2; job++) {
      JobClient first =
          start(configuration, job, job * IDS, RateLimiterStrategy.perCheckpoint(SENT_BEFORE));
      while (PASSED.size() < before) {
        Thread.sleep(10);
      }
      String savepoint =
          first
              .stopWithSavepoint(false, folder.toUri().toString(), SavepointFormatType.CANONICAL)
              .get(600, TimeUnit.SECONDS);
      assertTrue(PASSED.size() < IDS, PASSED.size() + " passed");
      configuration.setString("execution.state-recovery.path", savepoint);
      before = PASSED.size() + 10;
    }
    start(configuration, 1, 2 * IDS, RateLimiterStrategy.noOp())
        .getJobExecutionResult()
        .get(600, TimeUnit.SECONDS);

    assertEquals(PASSED.size(), new HashSet<>(PASSED).size(), "none passed twice");
    // One in a thousand is taken for another one by each filter: 6 are expected at most.
    assertTrue(PASSED.size() > IDS - 30, PASSED.size() + " passed");
    assertTrue(PASSED.size() >= before, PASSED.size() + " passed");
  }
}
