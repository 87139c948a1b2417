package io.bloomery.conformance.report;

import io.bloomery.conformance.ConformanceReport;
import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.conformance.Rule;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * The encoding of a report as JUnit XML, which build servers show: a test for each rule that was
 * asked for, and one for the run itself, which fails if there are doubts.
 */
final class JUnitReport {

  private final ConformanceReport report;
  private final XMLStreamWriter xml;

  private JUnitReport(ConformanceReport report, XMLStreamWriter xml) {
    this.report = report;
    this.xml = xml;
  }

  static byte[] of(ConformanceReport report) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      XMLStreamWriter xml =
          XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(bytes, "UTF-8");
      xml.writeStartDocument("UTF-8", "1.0");
      new JUnitReport(report, xml).writeSuite();
      xml.writeEndDocument();
      xml.close();
    } catch (XMLStreamException e) {
      throw new IllegalStateException("memory takes all bytes", e);
    }
    return bytes.toByteArray();
  }

  private void writeSuite() throws XMLStreamException {
    long asked = Rule.values().length - report.count(Status.NOT_ASKED);
    xml.writeStartElement("testsuite");
    write("name", "conformance of " + report.variant());
    write("tests", Long.toString(asked + 1));
    write("failures", Long.toString(report.count(Status.BROKEN)));
    long doubts = report.doubts().isEmpty() ? 0 : 1;
    write("errors", Long.toString(report.count(Status.NOT_RUN) + doubts));
    write("skipped", Long.toString(report.count(Status.NOT_APPLICABLE)));
    write("time", seconds(report.duration()));
    write("timestamp", report.started().toString());
    xml.writeStartElement("properties");
    writeProperty("tier", report.tier().toString());
    writeProperty("seed", Long.toString(report.seed()));
    writeProperty("summary", report.summary());
    xml.writeEndElement();
    for (Rule rule : Rule.values()) {
      if (report.outcome(rule).status() != Status.NOT_ASKED) {
        writeTest(rule.id() + ": " + rule.title(), report.outcome(rule));
      }
    }
    writeTest(
        "the run can be relied on",
        new Outcome(
            doubts == 0 ? Status.KEPT : Status.NOT_RUN,
            String.join("\n", report.doubts()),
            Duration.ZERO));
    xml.writeEndElement();
  }

  private void writeProperty(String name, String value) throws XMLStreamException {
    xml.writeEmptyElement("property");
    write("name", name);
    write("value", value);
  }

  private void writeTest(String name, Outcome outcome) throws XMLStreamException {
    xml.writeStartElement("testcase");
    write("classname", report.code().className());
    write("name", name);
    write("time", seconds(outcome.duration()));
    switch (outcome.status()) {
      case BROKEN -> writeReason("failure", outcome.detail());
      case NOT_RUN -> writeReason("error", outcome.detail());
      case NOT_APPLICABLE -> writeReason("skipped", outcome.detail());
      default -> {}
    }
    xml.writeEndElement();
  }

  private void writeReason(String element, String detail) throws XMLStreamException {
    xml.writeStartElement(element);
    write("message", detail.lines().findFirst().orElse(""));
    xml.writeCharacters(valid(detail));
    xml.writeEndElement();
  }

  private void write(String attribute, String value) throws XMLStreamException {
    xml.writeAttribute(attribute, valid(value));
  }

  /** Returns a text with what XML 1.0 cannot have in it replaced; the writer would leave it. */
  private static String valid(String text) {
    return text.replaceAll("[^\t\n\r\\x20-\ud7ff\ue000-\ufffd\\x{10000}-\\x{10ffff}]", "\ufffd");
  }

  private static String seconds(Duration duration) {
    return String.format(Locale.ROOT, "%.3f", duration.toNanos() / 1e9);
  }
}
