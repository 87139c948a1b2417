package io.bloomery.conformance;

import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.conformance.internal.kit.Message;
import io.bloomery.conformance.run.Evidence;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The message of a supervised JVM at the end of a rule.
 *
 * @param cases the number of cases in each class, in all rules so far
 * @param alphaSpent the total spent by all statistical checks so far
 */
record Ended(
    Rule rule, Outcome outcome, Evidence seen, Map<String, Integer> cases, double alphaSpent) {

  void writeTo(DataOutput out) throws IOException {
    Message.writeText(out, rule.name());
    Message.writeText(out, outcome.status().name());
    Message.writeText(out, outcome.detail());
    out.writeLong(outcome.duration().toNanos());
    Message.writeText(out, outcome.cause());
    seen.writeTo(out);
    Message.writeList(
        out,
        List.copyOf(cases.entrySet()),
        (to, counted) -> {
          Message.writeText(to, counted.getKey());
          to.writeInt(counted.getValue());
        });
    out.writeDouble(alphaSpent);
  }

  static Ended readFrom(DataInput in) throws IOException {
    Rule rule = Rule.valueOf(Message.readText(in));
    Outcome outcome =
        new Outcome(
            Status.valueOf(Message.readText(in)),
            Message.readText(in),
            Duration.ofNanos(in.readLong()),
            Message.readText(in));
    Evidence seen = Evidence.readFrom(in);
    Map<String, Integer> cases = new LinkedHashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      cases.put(Message.readText(in), in.readInt());
    }
    return new Ended(rule, outcome, seen, cases, in.readDouble());
  }
}
