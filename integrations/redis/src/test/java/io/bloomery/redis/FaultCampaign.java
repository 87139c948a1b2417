package io.bloomery.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.redis.History.Answer;
import io.bloomery.redis.History.Call;
import io.bloomery.redis.History.Event;
import io.bloomery.redis.History.Findings;
import io.bloomery.redis.History.Standstill;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets processes put and query by links of their own while faults happen to the servers and to
 * them, and checks the histories of what they were answered.
 */
final class FaultCampaign {

  private static final int LEAST_FAULTS = 3;
  private static final long LEAST_CALLS = 300;
  private static final int PATIENCE = 500;

  private final Random draw;
  private final Path folder;
  private final SharedNumbers numbers;
  private final Map<String, Integer> faultsThatWere = new TreeMap<>();
  private final List<String> broken = new ArrayList<>();
  private final List<String> wrongAbsences = new ArrayList<>();
  private Findings findings = new Findings(0, 0, 0, 0, 0, 0);
  private long histories;
  private int begunProcesses;
  private int killed;
  private int begunAnew;

  // Of the servers of the moment.
  private final Map<Servers.Client, Process> processes = new EnumMap<>(Servers.Client.class);
  private final List<Standstill> standstills = new ArrayList<>();

  FaultCampaign(Random draw, Path folder) throws IOException {
    this.draw = draw;
    this.folder = folder;
    this.numbers = new SharedNumbers(folder.resolve("numbers"));
  }

  void setBack(long micros) {
    numbers.set(SharedNumbers.SET_BACK, micros);
  }

  /**
   * Runs drawn faults for a time, and until enough has been asked.
   *
   * @param uri where the processes are to connect
   * @param control the link of whoever looks after the servers
   */
  void run(
      String uri, List<RedisServer> servers, RedisLink control, List<Fault> ofServers, long millis)
      throws Exception {
    List<String> ports = servers.stream().map(server -> Integer.toString(server.port())).toList();
    Shared.Links links = FaultProcess.links(control, numbers, ports);
    List<Fault> faults = new ArrayList<>(ofServers);
    for (Servers.Client client : Servers.Client.values()) {
      start(client, uri, ports);
      faults.add(new Fault("kill -9 of a client", true, () -> kill(client, uri, ports)));
    }
    try {
      long begin = System.nanoTime();
      long before = numbers.get(SharedNumbers.ANSWERED);
      for (int done = 0;
          done < LEAST_FAULTS
              || numbers.get(SharedNumbers.ANSWERED) - before < LEAST_CALLS
              || System.nanoTime() - begin < TimeUnit.MILLISECONDS.toNanos(millis);
          done++) {
        if (done % faults.size() == 0) {
          Collections.shuffle(faults, draw);
        }
        Map<Shared, String> idsBefore = restored(links, false);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
        Fault fault = faults.get(done % faults.size());
        faultsThatWere.merge(fault.name(), 1, Integer::sum);
        long from = System.nanoTime();
        fault.action().run();
        Map<Shared, String> idsAfter = restored(links, fault.keepsAll());
        if (fault.keepsAll() && !idsAfter.equals(idsBefore)) {
          broken.add(fault.name() + ": " + idsBefore + " began anew: " + idsAfter);
        }
        long to = System.nanoTime();
        standstills.add(new Standstill(from, to, fault.setsClock()));
        for (Process process : processes.values()) {
          assertTrue(process.isAlive(), "a process has ended by itself");
        }
      }
      for (Process process : processes.values()) {
        process.getOutputStream().close(); // which tells it to end
      }
      for (Process process : processes.values()) {
        assertTrue(process.waitFor(2, TimeUnit.MINUTES), "a process does not end");
        assertEquals(0, process.exitValue());
      }
    } finally {
      processes.values().forEach(Process::destroyForcibly);
      processes.clear();
    }
    check();
  }

  private void start(Servers.Client client, String uri, List<String> ports) throws IOException {
    Path out = folder.resolve("history-" + begunProcesses++ + "-");
    Path shared = folder.resolve("numbers");
    processes.put(client, FaultProcess.start(client, uri, ports, shared, out, draw.nextLong()));
  }

  private void kill(Servers.Client client, String uri, List<String> ports) throws Exception {
    Process process = processes.get(client);
    process.destroyForcibly().waitFor();
    killed++;
    start(client, uri, ports);
  }

  /** Waits until all can be asked; what cannot is accepted if nothing was lost, or begun anew. */
  private Map<Shared, String> restored(Shared.Links control, boolean isAccepted) {
    List<Long> keys = Servers.keys(-100, 0); // of all parts
    Map<Shared, String> ids = new EnumMap<>(Shared.class);
    for (Shared shared : Shared.values()) {
      for (int attempt = 0; !ids.containsKey(shared); attempt++) {
        try {
          Shared.Open open = shared.openOrCreate(control);
          open.found(Call.QUERY, keys);
          ids.put(shared, open.id());
        } catch (IllegalStateException e) {
          String reason = String.valueOf(e.getMessage());
          boolean isDeleted = attempt % 5 == 4; // others may be making it just now
          if (reason.contains("Redis at") && attempt < PATIENCE) {
            RedisServer.pause();
          } else if (isAccepted && reason.contains("restarted or promoted")) {
            shared.accept(control);
          } else if (!isDeleted) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
          } else {
            assertTrue(attempt < 2 * PATIENCE, reason);
            begunAnew++;
            if (isAccepted) {
              broken.add(shared + " had to be deleted: " + reason);
            }
            shared.delete(control);
          }
        }
      }
    }
    return ids;
  }

  private void check() throws IOException {
    Map<List<String>, List<Event>> events = new TreeMap<>(Comparator.comparing(List::toString));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "history-*")) {
      for (Path file : files) {
        for (String line : Files.readString(file).split("\n", -1)) {
          read(line.split(" ", 7), events);
        }
        Files.delete(file);
      }
    }
    events.forEach(
        (of, history) -> {
          histories++;
          findings =
              findings.plus(
                  History.check(
                      Shared.valueOf(of.get(0)).promise,
                      history,
                      standstills,
                      (wrong, ofItsKey) ->
                          wrongAbsences.add(of + ": " + wrong + " of " + ofItsKey)));
        });
    standstills.clear();
  }

  /** Reads a line; what was cut off by the end of its process before a sixth word never began. */
  private void read(String[] words, Map<List<String>, List<Event>> events) {
    if (words.length < 6) {
      return;
    }
    String answer = words.length > 6 ? words[6] : "!killed before it was answered";
    boolean threw = answer.startsWith("!");
    if (answer.startsWith(FaultProcess.OTHER, 1)) {
      broken.add(answer);
    }
    if (words[2].equals(FaultProcess.OPEN)) {
      return;
    }
    long begun = Long.parseLong(words[3]);
    Call call = Call.valueOf(words[2]);
    List<Event> history =
        events.computeIfAbsent(List.of(words[0], words[1]), of -> new ArrayList<>());
    String[] keys = words[4].split(",", -1);
    for (int i = 0; i < keys.length; i++) {
      long key = Long.parseLong(keys[i]);
      history.add(
          threw || i >= answer.length()
              ? Event.thrown(call, key, begun)
              : new Event(
                  call,
                  key,
                  begun,
                  Long.parseLong(words[5]),
                  answer.charAt(i) == '1' ? Answer.FOUND : Answer.ABSENT));
    }
  }

  /** Prints what happened, and fails if anything was wrong. */
  void report() {
    System.out.printf(
        "%s%n%,d histories of %,d processes, %,d of them killed; begun anew: %,d times; %s%n",
        faultsThatWere, histories, begunProcesses, killed, begunAnew, findings);
    assertEquals(List.of(), broken);
    assertTrue(findings.checked() > 1000, findings::toString);
    assertEquals(
        new Findings(0, 0, 0, 0, 0, findings.checked()),
        findings,
        () -> String.join("\n", wrongAbsences));
  }
}
