package io.bloomery.cli.session;

import java.io.IOException;
import java.util.Locale;

/**
 * What a command says of one thing: for people a name and a row for each fact, for programs a JSON
 * object. Control characters in names and values are made visible here, so that no value takes more
 * than its row.
 */
public final class Description {

  private final StringBuilder text = new StringBuilder();
  private final Members members = new Members();

  /** Creates the description of a thing, whose name is {@code name} and the member {@code kind}. */
  public Description(String kind, String name) {
    text.append(VisibleText.line(name)).append('\n');
    member(kind, name);
  }

  /** Adds a fact for people and programs; the format has one place for the value. */
  public Description fact(String label, String member, String format, Object value) {
    return row(label, format, value).member(member, value);
  }

  /** Adds a fact for people and programs that is text. */
  public Description fact(String label, String member, String value) {
    return fact(label, member, "%s", value);
  }

  /** Adds a fact for people. */
  public Description row(String label, String format, Object... values) {
    return line("  %-16s %s", label, String.format(Locale.ROOT, format, values));
  }

  /** Adds a line of another form for people. */
  public Description line(String format, Object... values) {
    String line = String.format(Locale.ROOT, format, values).stripTrailing();
    text.append(VisibleText.line(line)).append('\n');
    return this;
  }

  /** Adds a fact for programs: text, a number, a truth value, null, or a map or list of these. */
  public Description member(String name, Object value) {
    members.with(name, value);
    return this;
  }

  /** Prints it for programs or for people. */
  public void print(Session session, boolean json) throws IOException {
    if (json) {
      Json.print(session, members);
    } else {
      session.print(text.toString());
    }
  }
}
