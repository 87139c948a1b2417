package io.bloomery.cli;

/** A page of a manual, as {@code man} reads it. */
final class Troff {

  private final StringBuilder page = new StringBuilder();

  void title(String name, String section, String day, String source) {
    macro("TH", name, section, day, source, "Bloomery");
    // Examples are to be copied, and words not torn apart.
    page.append(".nh\n.ad l\n");
  }

  void section(String name) {
    macro("SH", name);
  }

  void paragraph(String text) {
    page.append(".PP\n").append(escape(text)).append('\n');
  }

  /** Appends a term and what it means. */
  void item(String term, String meaning) {
    page.append(".TP\n\\fB")
        .append(escape(term))
        .append("\\fR\n")
        .append(escape(meaning))
        .append('\n');
  }

  /** Appends lines that stay as they are. */
  void literal(String... lines) {
    page.append(".PP\n.nf\n");
    for (String line : lines) {
      page.append(escape(line)).append('\n');
    }
    page.append(".fi\n");
  }

  private void macro(String name, String... arguments) {
    page.append('.').append(name);
    for (String argument : arguments) {
      page.append(" \"").append(escape(argument).replace("\"", "\\(dq")).append('"');
    }
    page.append('\n');
  }

  /** Returns text in which nothing is a command and no sign is made prettier. */
  private static String escape(String text) {
    String escaped =
        text.replace("\\", "\\(rs")
            .replace("-", "\\-")
            .replace("'", "\\(aq")
            .replace("`", "\\(ga")
            .replace("^", "\\(ha")
            .replace("~", "\\(ti");
    return escaped.startsWith(".") ? "\\&" + escaped : escaped;
  }

  @Override
  public String toString() {
    return page.toString();
  }
}
