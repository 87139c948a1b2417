package io.bloomery.benchmarks.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import io.bloomery.benchmarks.paired.Figures;
import io.bloomery.benchmarks.paired.KeyKind;
import io.bloomery.benchmarks.paired.Results;
import io.bloomery.benchmarks.paired.Stats;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The encoding of a {@link Report} as JSON. */
final class ReportFile {

  private static final JsonFactory JSON = new JsonFactory();

  private ReportFile() {}

  static String write(Report report) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.setPrettyPrinter(
          new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n")));
      json.writeStartObject();
      json.writeStringField("date", report.date());
      json.writeStringField("command", report.command());
      json.writeFieldName("machine");
      write(json, report.machine());
      json.writeObjectFieldStart("libraries");
      for (Map.Entry<String, String> library : report.libraries().entrySet()) {
        json.writeStringField(library.getKey(), library.getValue());
      }
      json.writeEndObject();
      json.writeArrayFieldStart("figures");
      for (Figures figures : report.results().figures()) {
        write(json, figures);
      }
      json.writeEndArray();
      json.writeArrayFieldStart("measures");
      for (Stats measure : report.results().stats()) {
        json.writeStartObject();
        json.writeStringField("what", measure.what());
        json.writeStringField("kind", measure.kind().name());
        json.writeNumberField("keys", measure.keys());
        json.writeStringField("subject", measure.subject());
        json.writeNumberField("value", measure.value());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("text in memory can always be written", e);
    }
    return text.append('\n').toString();
  }

  private static void write(JsonGenerator json, Machine machine) throws IOException {
    json.writeStartObject();
    json.writeStringField("processor", machine.processor());
    json.writeNumberField("cores", machine.cores());
    json.writeNumberField("memory", machine.memory());
    json.writeObjectFieldStart("caches");
    for (Machine.Cache cache : machine.caches()) {
      json.writeNumberField(cache.name(), cache.bytes());
    }
    json.writeEndObject();
    json.writeStringField("system", machine.system());
    json.writeStringField("jvm", machine.jvm());
    json.writeArrayFieldStart("flags");
    for (String flag : machine.flags()) {
      json.writeString(flag);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Figures figures) throws IOException {
    json.writeStartObject();
    json.writeStringField("kind", figures.kind().name());
    json.writeNumberField("keys", figures.keys());
    json.writeStringField("operation", figures.operation());
    json.writeNumberField("threads", figures.threads());
    json.writeObjectFieldStart("nanos");
    for (String subject : figures.subjects()) {
      double[] rounds = figures.rounds(subject);
      json.writeFieldName(subject);
      json.writeArray(rounds, 0, rounds.length);
    }
    json.writeEndObject();
    json.writeEndObject();
  }

  /** Reads a report; anything unexpected is rejected. */
  static Report read(String text) throws IOException {
    try (JsonParser json = JSON.createParser(text)) {
      json.nextToken();
      String date = null;
      String command = null;
      Machine machine = null;
      Map<String, String> libraries = new TreeMap<>();
      List<Figures> figures = new ArrayList<>();
      List<Stats> stats = new ArrayList<>();
      while (nextField(json)) {
        switch (json.currentName()) {
          case "date" -> date = json.getText();
          case "command" -> command = json.getText();
          case "machine" -> machine = machine(json);
          case "libraries" -> {
            while (nextField(json)) {
              libraries.put(json.currentName(), json.getText());
            }
          }
          case "figures" -> {
            while (json.nextToken() != JsonToken.END_ARRAY) {
              figures.add(figures(json));
            }
          }
          case "measures" -> {
            while (json.nextToken() != JsonToken.END_ARRAY) {
              stats.add(measure(json));
            }
          }
          default -> throw unknown(json);
        }
      }
      if (date == null || command == null || machine == null) {
        throw new IOException("must be a file of results that lab/benchmarks/run has written");
      }
      return new Report(date, command, machine, libraries, new Results(figures, stats));
    } catch (IllegalArgumentException e) {
      throw new IOException("must have names that this version knows: " + e.getMessage(), e);
    }
  }

  private static Machine machine(JsonParser json) throws IOException {
    String processor = null;
    int cores = 0;
    long memory = 0;
    List<Machine.Cache> caches = new ArrayList<>();
    String system = null;
    String jvm = null;
    List<String> flags = new ArrayList<>();
    while (nextField(json)) {
      switch (json.currentName()) {
        case "processor" -> processor = json.getText();
        case "cores" -> cores = json.getIntValue();
        case "memory" -> memory = json.getLongValue();
        case "caches" -> {
          while (nextField(json)) {
            caches.add(new Machine.Cache(json.currentName(), json.getLongValue()));
          }
        }
        case "system" -> system = json.getText();
        case "jvm" -> jvm = json.getText();
        case "flags" -> {
          while (json.nextToken() != JsonToken.END_ARRAY) {
            flags.add(json.getText());
          }
        }
        default -> throw unknown(json);
      }
    }
    return new Machine(processor, cores, memory, caches, system, jvm, flags);
  }

  // The participants come last.
  private static Figures figures(JsonParser json) throws IOException {
    KeyKind kind = null;
    long keys = 0;
    String operation = null;
    int threads = 0;
    Figures figures = null;
    while (nextField(json)) {
      switch (json.currentName()) {
        case "kind" -> kind = KeyKind.valueOf(json.getText());
        case "keys" -> keys = json.getLongValue();
        case "operation" -> operation = json.getText();
        case "threads" -> threads = json.getIntValue();
        case "nanos" -> {
          figures = new Figures(kind, keys, operation, threads);
          while (nextField(json)) {
            String subject = json.currentName();
            while (json.nextToken() != JsonToken.END_ARRAY) {
              figures.add(subject, json.getDoubleValue());
            }
          }
        }
        default -> throw unknown(json);
      }
    }
    if (figures == null) {
      throw new IOException("figures must have nanos");
    }
    return figures;
  }

  private static Stats measure(JsonParser json) throws IOException {
    String what = null;
    KeyKind kind = null;
    long keys = 0;
    String subject = null;
    double value = 0;
    while (nextField(json)) {
      switch (json.currentName()) {
        case "what" -> what = json.getText();
        case "kind" -> kind = KeyKind.valueOf(json.getText());
        case "keys" -> keys = json.getLongValue();
        case "subject" -> subject = json.getText();
        case "value" -> value = json.getDoubleValue();
        default -> throw unknown(json);
      }
    }
    return new Stats(what, kind, keys, subject, value);
  }

  // Advances to the value of the next field, or to the end of the object.
  private static boolean nextField(JsonParser json) throws IOException {
    if (json.nextToken() != JsonToken.FIELD_NAME) {
      return false;
    }
    json.nextToken();
    return true;
  }

  private static IOException unknown(JsonParser json) throws IOException {
    return new IOException("must not have a field of this name: " + json.currentName());
  }
}
