package io.bloomery.conformance;

import io.bloomery.conformance.internal.kit.Message;
import io.bloomery.conformance.run.Tier;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * The task of one JVM.
 *
 * @param patience how long to search for a smaller case when a rule fails
 * @param limit how long a rule may run without progress
 */
record Task(Tier tier, long seed, Duration patience, Duration limit, List<Rule> rules) {

  /** Returns this task with other rules. */
  Task withRules(List<Rule> others) {
    return new Task(tier, seed, patience, limit, List.copyOf(others));
  }

  /** Returns this task with another limit. */
  Task withLimit(Duration other) {
    return new Task(tier, seed, patience, other, rules);
  }

  void writeTo(DataOutput out) throws IOException {
    Message.writeText(out, tier.name());
    out.writeLong(seed);
    out.writeLong(patience.toNanos());
    out.writeLong(limit.toNanos());
    Message.writeList(out, rules, (to, rule) -> Message.writeText(to, rule.name()));
  }

  static Task readFrom(DataInput in) throws IOException {
    return new Task(
        Tier.valueOf(Message.readText(in)),
        in.readLong(),
        Duration.ofNanos(in.readLong()),
        Duration.ofNanos(in.readLong()),
        Message.readList(in, from -> Rule.valueOf(Message.readText(from))));
  }
}
