package io.bloomery.conformance;

import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.conformance.internal.check.Watchdog;
import io.bloomery.conformance.internal.kit.Message;
import io.bloomery.conformance.internal.kit.Message.Kind;
import io.bloomery.conformance.run.Capability;
import java.io.DataInput;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The execution of one {@link Task} in other JVMs: in a single one, unless it ends or hangs before
 * it reports completion.
 */
final class Supervision {

  /**
   * The additional time to wait beyond the limit of the JVM itself, which can report the state of
   * the check.
   */
  private static final Duration GRACE = Duration.ofSeconds(15);

  /** The number of hanging rules after which the limit for further ones is reduced. */
  private static final int STUCK_BEFORE_HASTE = 3;

  private static final Duration HASTE = Duration.ofSeconds(10);

  private final Remade remade;
  private final Task task;
  private final Consumer<String> log;
  private final List<Rule> left;
  private final Findings findings = new Findings();
  private Optional<Rule> running = Optional.empty();
  private Optional<Rule> last = Optional.empty();
  private String lastCase = "";
  private boolean isSelfChecked;
  private boolean isReady;
  private Map<String, Integer> cases = Map.of();
  private double alphaSpent;
  private int stuck;

  private Supervision(Remade remade, Task task, Consumer<String> log) {
    this.remade = remade;
    this.task = task;
    this.log = log;
    this.left = new ArrayList<>(task.rules());
  }

  /** Runs a task; returns empty if no JVM can be started. */
  static Optional<Findings> of(Remade remade, Task task, Consumer<String> log) {
    Supervision supervision = new Supervision(remade, task, log);
    try {
      supervision.run();
      return Optional.of(supervision.findings);
    } catch (IOException e) {
      log.accept("checked in this JVM, since none of its own can be started: " + e.getMessage());
      return Optional.empty();
    }
  }

  /**
   * Returns how a JVM that loads providers ended, if it started loading and did not complete it.
   */
  static Optional<String> endWhileLoading(Remade all, Task task, Consumer<String> log) {
    try (SupervisedJvm jvm = SupervisedJvm.start(all, task, false, log)) {
      boolean isReady = false;
      while (true) {
        Optional<Message> next = jvm.next(task.limit());
        if (next.isEmpty()) {
          return isReady ? Optional.of(jvm.end()) : Optional.empty();
        }
        switch (next.get().kind()) {
          case READY -> isReady = true;
          case DONE, REFUSED -> {
            return Optional.empty();
          }
          default -> {}
        }
      }
    } catch (IOException e) {
      // As for the rules: if no other JVM can be started, this one is used.
      return Optional.empty();
    }
  }

  private void run() throws IOException {
    boolean isDone = false;
    while (!isDone) {
      isReady = false;
      running = Optional.empty();
      cases = Map.of();
      alphaSpent = 0;
      Duration limit = stuck < STUCK_BEFORE_HASTE ? task.limit() : HASTE;
      try (SupervisedJvm jvm =
          SupervisedJvm.start(remade, task.withRules(left).withLimit(limit), !isSelfChecked, log)) {
        isDone = listen(jvm, Watchdog.longest(limit).plus(GRACE));
      }
      findings.add(cases, alphaSpent);
    }
  }

  /** Processes the messages of a JVM until it ends; returns whether nothing is left to do. */
  private boolean listen(SupervisedJvm jvm, Duration limit) throws IOException {
    while (true) {
      Optional<Message> next = jvm.next(limit);
      if (next.isEmpty()) {
        if (!isSelfChecked) {
          // No code of the provider was loaded there yet.
          throw new IOException(jvm.end());
        }
        return ended(jvm.end());
      }
      Message message = next.get();
      switch (message.kind()) {
        case SELF_CHECK -> selfChecked(message);
        case READY -> isReady = true;
        case BEGIN -> {
          running = Optional.of(Rule.valueOf(message.text()));
          lastCase = "";
        }
        case CASE -> lastCase = message.text();
        case PROGRESS -> {}
        case END, STUCK -> {
          ruleEnded(message.read(Ended::readFrom));
          if (message.kind() == Kind.STUCK) {
            stuck++;
            return left.isEmpty();
          }
        }
        case OFFER -> message.read(this::offers);
        case DONE -> {
          return true;
        }
        case REFUSED -> {
          String why = "the provider cannot be made again in a JVM of its own: " + message.text();
          left.forEach(rule -> findings.add(rule, Outcome.of(Status.NOT_RUN, why)));
          return true;
        }
      }
    }
  }

  private void selfChecked(Message message) throws IOException {
    SelfCheck check =
        message.read(in -> new SelfCheck(Message.readList(in, Message::readText), in.readDouble()));
    if (!isSelfChecked) {
      findings.add(check);
      isSelfChecked = true;
    }
  }

  private boolean offers(DataInput in) throws IOException {
    findings.offers(
        Message.readList(in, from -> Capability.valueOf(Message.readText(from))),
        Message.readList(in, Message::readText));
    return true;
  }

  private void ruleEnded(Ended ended) {
    findings.add(ended.rule(), ended.outcome(), ended.seen());
    cases = ended.cases();
    alphaSpent = ended.alphaSpent();
    left.remove(ended.rule());
    last = Optional.of(ended.rule());
    running = Optional.empty();
  }

  /** Attributes the unexpected end of a JVM to the rule that was running. */
  private boolean ended(String how) {
    if (!isReady && last.isEmpty()) {
      String why = "the JVM of the provider " + how + ", while it was loaded";
      left.forEach(rule -> findings.add(rule, new Outcome(Status.BROKEN, why, Duration.ZERO, how)));
      return true;
    }
    String when =
        running.isPresent()
            ? ", which no filter may bring about"
            : left.isEmpty() ? ", after all rules" : ", before this rule was begun";
    Rule blamed = running.or(() -> left.stream().findFirst()).or(() -> last).orElseThrow();
    String drawn = lastCase.isEmpty() ? "" : "\n  the case tried last: " + lastCase;
    String detail = "the JVM of the provider " + how + when + drawn;
    findings.add(blamed, new Outcome(Status.BROKEN, detail, Duration.ZERO, how));
    left.remove(blamed);
    last = Optional.of(blamed);
    stuck += how.startsWith("stood still") ? 1 : 0;
    return left.isEmpty();
  }
}
