package io.bloomery.cli;

/** A manual page in the troff format that {@code man} reads. */
final class Troff {

  private final StringBuilder page = new StringBuilder();

  void title(String name, String section, String day, String source) {
    macro("TH", name, section, day, source, "Bloomery");
    // Neither hyphenated nor justified, so that words stay whole and examples can be copied.
    page.append(".nh\n.ad l\n");
  }

  void section(String name) {
    macro("SH", name);
  }

  void paragraph(String text) {
    page.append(".PP\n").append(escape(text)).append('\n');
  }

  /** Appends a term and its description. */
  void item(String term, String meaning) {
    page.append(".TP\n\\fB")
        .append(escape(term))
        .append("\\fR\n")
        .append(escape(meaning))
        .append('\n');
  }

  /** Appends lines that are neither filled nor reformatted. */
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

  /**
   * Escapes text so that nothing in it is a troff request and every character is printed as it is.
   */
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
