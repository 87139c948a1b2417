package io.bloomery.conformance;

import io.bloomery.conformance.internal.check.Run;
import io.bloomery.conformance.internal.kit.Message;
import io.bloomery.conformance.internal.kit.Message.Kind;
import io.bloomery.filter.FilterProvider;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.function.LongSupplier;

/**
 * The main class of a JVM in which a provider is checked under supervision. It reads its task from
 * standard input and writes messages to a stream that is hidden from the provider.
 */
final class SupervisedMain {

  private static final long HEARTBEAT_MILLIS = 500;

  private final OutputStream out = new FileOutputStream(FileDescriptor.out);
  private final String token;

  private SupervisedMain(String token) {
    this.token = token;
  }

  /** Runs the task on the standard input. */
  public static void main(String[] arguments) throws IOException {
    DataInputStream in = new DataInputStream(System.in);
    SupervisedMain main = new SupervisedMain(Message.readText(in));
    Remade remade = new Remade(Message.readText(in), Message.readList(in, Message::readText));
    Task task = Task.readFrom(in);
    boolean isFirst = in.readBoolean();
    System.setIn(InputStream.nullInputStream());
    // The output of the provider is for human readers.
    System.setOut(System.err);
    endWith(in);
    try {
      if (remade.isAll()) {
        main.load(remade);
      } else {
        main.run(remade, task, isFirst);
      }
    } catch (Throwable e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
    // Halts in spite of endless threads and shutdown hooks of the provider.
    Runtime.getRuntime().halt(0);
  }

  /** Ends this JVM together with its supervisor. */
  private static void endWith(InputStream in) {
    daemon(
        () -> {
          try {
            in.transferTo(OutputStream.nullOutputStream());
          } catch (IOException e) {
            // Equivalent to the end of the stream.
          }
          Runtime.getRuntime().halt(1);
        });
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work, "conformance supervision");
    thread.setDaemon(true);
    thread.start();
  }

  private void load(Remade all) {
    say(Message.of(Kind.READY, ""));
    try {
      all.makeAll();
      say(Message.of(Kind.DONE, ""));
    } catch (Exception | LinkageError | ServiceConfigurationError e) {
      say(Message.of(Kind.REFUSED, e.toString()));
    }
  }

  private void run(Remade remade, Task task, boolean isFirst) {
    Run run =
        new Run(
            task.tier(),
            task.seed(),
            task.patience(),
            task.limit(),
            drawn -> say(Message.of(Kind.CASE, drawn.toString())));
    if (isFirst) {
      // No code of the provider runs yet: the heartbeat only shows that the machine is alive.
      Heartbeat heartbeat = new Heartbeat(System::nanoTime);
      say(
          Message.of(
              Kind.SELF_CHECK,
              SelfCheck.of(task.tier(), task.seed(), task.rules()),
              SupervisedMain::write));
      heartbeat.end();
    } else {
      say(Message.of(Kind.SELF_CHECK, new SelfCheck(List.of(), 0), SupervisedMain::write));
    }
    FilterProvider provider;
    try {
      provider = remade.make();
    } catch (Exception | LinkageError e) {
      say(Message.of(Kind.REFUSED, e.toString()));
      return;
    }
    say(Message.of(Kind.READY, ""));
    Heartbeat heartbeat = new Heartbeat(run::begun);
    for (Rule rule : task.rules()) {
      say(Message.of(Kind.BEGIN, rule.name()));
      RuleTrial trial = RuleTrial.of(rule, run, provider);
      say(
          Message.of(
              trial.isStuck() ? Kind.STUCK : Kind.END,
              new Ended(
                  rule,
                  trial.outcome(),
                  run.evidence(rule.id()),
                  run.coverage().counts(),
                  run.budget().spent()),
              (to, ended) -> ended.writeTo(to)));
      if (trial.isStuck()) {
        return;
      }
    }
    heartbeat.end();
    List<String> capabilities = Origin.capabilities(provider).stream().map(Enum::name).toList();
    List<String> notOffered = Findings.notOffered(provider);
    say(
        Message.of(
            Kind.OFFER,
            Map.entry(capabilities, notOffered),
            (to, offer) -> {
              Message.writeList(to, offer.getKey(), Message::writeText);
              Message.writeList(to, offer.getValue(), Message::writeText);
            }));
    say(Message.of(Kind.DONE, ""));
  }

  private static void write(DataOutput to, SelfCheck check) throws IOException {
    Message.writeList(to, check.doubts(), Message::writeText);
    to.writeDouble(check.raceSensitivity());
  }

  /** Reports progress as long as a number keeps changing. */
  private final class Heartbeat {
    private volatile boolean isOver;

    Heartbeat(LongSupplier progress) {
      daemon(
          () -> {
            long seen = progress.getAsLong();
            while (!isOver) {
              sleep();
              long now = progress.getAsLong();
              if (now != seen && !isOver) {
                seen = now;
                say(Message.of(Kind.PROGRESS, ""));
              }
            }
          });
    }

    private static void sleep() {
      try {
        Thread.sleep(HEARTBEAT_MILLIS);
      } catch (InterruptedException e) {
        // Only a provider interrupts this thread.
      }
    }

    void end() {
      isOver = true;
    }
  }

  private synchronized void say(Message message) {
    try {
      out.write(message.line(token));
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("the supervisor is gone", e);
    }
  }
}
