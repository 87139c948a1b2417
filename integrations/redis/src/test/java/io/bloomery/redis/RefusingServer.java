package io.bloomery.redis;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server that lets clients connect as a single server, a sentinel of itself and a Cluster of
 * itself, and gives one reply to all commands on keys.
 */
final class RefusingServer implements AutoCloseable {

  /** The reply that is never sent. */
  static final String NOTHING = "";

  /** The end of a connection in place of a reply. */
  static final String END = "END";

  private final ServerSocket socket;
  private final Queue<Socket> connections = new ConcurrentLinkedQueue<>();
  private final AtomicInteger asked = new AtomicInteger();
  private volatile String greeting = "+PONG\r\n";
  private final String reply;
  private volatile int primary;

  RefusingServer(String reply) {
    this.reply = reply;
    try {
      socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    primary = socket.getLocalPort();
    start(this::accept);
  }

  /** Names a primary at another port when it is asked as a sentinel. */
  RefusingServer names(int port) {
    primary = port;
    return this;
  }

  /** Gives this reply to all commands of connections, too. */
  RefusingServer greets(String reply) {
    greeting = reply;
    return this;
  }

  int port() {
    return socket.getLocalPort();
  }

  String place() {
    return "127.0.0.1:" + port();
  }

  /** Returns how many commands on keys, or greetings that got none of the usual replies, came. */
  int asked() {
    return asked.get();
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "refusing-server");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (true) {
      try {
        Socket connection = socket.accept();
        connections.add(connection);
        start(() -> serve(connection));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      InputStream in = new BufferedInputStream(connection.getInputStream());
      OutputStream out = connection.getOutputStream();
      while (true) {
        String answer = answer(command(in));
        if (answer.equals(END)) {
          return;
        }
        out.write(answer.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
      }
    } catch (IOException | NumberFormatException e) {
      // The client has gone, or speaks TLS.
    }
  }

  private static List<String> command(InputStream in) throws IOException {
    List<String> words = new ArrayList<>();
    for (int left = number(in); left > 0; left--) {
      byte[] word = new byte[number(in)];
      new DataInputStream(in).readFully(word);
      in.skipNBytes(2);
      words.add(new String(word, StandardCharsets.ISO_8859_1));
    }
    return words;
  }

  private static int number(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new IOException("end");
      }
      line.append((char) next);
    }
    return line.isEmpty() ? 0 : Integer.parseInt(line.substring(1).trim());
  }

  private String answer(List<String> command) {
    String host = bulk("127.0.0.1");
    String port = Integer.toString(port());
    String first = command.get(0).toUpperCase(Locale.ROOT);
    String name = first + (command.size() > 1 ? " " + command.get(1) : "");
    return switch (first) {
      case "PING", "HELLO", "AUTH", "CLIENT", "SELECT", "READONLY" -> {
        if (!greeting.startsWith("+")) {
          asked.incrementAndGet();
          yield greeting;
        }
        yield first.equals("HELLO") ? "-ERR unknown command 'HELLO'\r\n" : greeting;
      }
      case "SUBSCRIBE", "PSUBSCRIBE" ->
          "*3\r\n" + bulk(first.toLowerCase(Locale.ROOT)) + bulk(command.get(1)) + ":1\r\n";
      case "SENTINEL" -> "*2\r\n" + host + bulk(Integer.toString(primary));
      case "CLUSTER" ->
          switch (name.toUpperCase(Locale.ROOT)) {
            case "CLUSTER SLOTS" ->
                "*1\r\n*3\r\n:0\r\n:16383\r\n*3\r\n" + host + ":" + port + "\r\n" + bulk(id());
            case "CLUSTER NODES" ->
                bulk(id() + " 127.0.0.1:" + port + "@1 myself,master - 0 0 1 connected 0-16383\n");
            case "CLUSTER INFO" -> bulk("cluster_state:ok\r\ncluster_size:1\r\n");
            default -> "-ERR unknown subcommand\r\n";
          };
      default -> {
        if (first.equals("INFO") && command.size() > 1 && command.get(1).equals("clients")) {
          yield bulk("connected_clients:1\r\n");
        }
        asked.incrementAndGet();
        yield reply;
      }
    };
  }

  private static String id() {
    return "0123456789012345678901234567890123456789";
  }

  private static String bulk(String text) {
    return "$" + text.length() + "\r\n" + text + "\r\n";
  }

  @Override
  public void close() {
    try {
      socket.close();
      for (Socket connection : connections) {
        connection.close();
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
