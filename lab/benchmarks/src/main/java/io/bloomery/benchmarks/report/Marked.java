package io.bloomery.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The generated part of a page, between two comments. */
record Marked(Path page, String name) {

  private String begin() {
    return "<!-- begin " + name + ": written by lab/benchmarks/run, not by hand -->\n";
  }

  private String end() {
    return "<!-- end " + name + " -->";
  }

  String read() throws IOException {
    String text = Files.readString(page);
    return text.substring(from(text), to(text));
  }

  void write(String content) throws IOException {
    String text = Files.readString(page);
    Files.writeString(page, text.substring(0, from(text)) + content + text.substring(to(text)));
  }

  private int from(String text) throws IOException {
    return indexOf(begin(), text) + begin().length();
  }

  private int to(String text) throws IOException {
    return indexOf(end(), text);
  }

  private int indexOf(String mark, String text) throws IOException {
    int index = text.indexOf(mark);
    if (index < 0) {
      throw new IOException(page + " must have the line " + mark.strip());
    }
    return index;
  }
}
