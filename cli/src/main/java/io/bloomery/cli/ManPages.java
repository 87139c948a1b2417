package io.bloomery.cli;

import io.bloomery.Bloomery;
import io.bloomery.cli.session.Session;
import io.bloomery.cli.session.StandardOutput;
import io.bloomery.cli.session.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Generates the manual at build time: a page for each command, made from its help. */
final class ManPages {

  private static final String SECTION = "1";

  private ManPages() {}

  /**
   * Writes all pages.
   *
   * @param arguments the folder to write to, and the date of the build
   */
  public static void main(String[] arguments) throws IOException {
    Path folder = Files.createDirectories(Path.of(arguments[0]));
    for (Map.Entry<String, String> page : all(arguments[1]).entrySet()) {
      Files.writeString(folder.resolve(page.getKey()), page.getValue(), StandardCharsets.UTF_8);
    }
  }

  /** Returns the pages by their file names; {@code date} begins with year-month-day. */
  static Map<String, String> all(String date) {
    Session nobody =
        new Session(
            InputStream.nullInputStream(),
            new StandardOutput(OutputStream.nullOutputStream()),
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8),
            Terminal.NONE,
            Bloomery::installed);
    CommandLine root = Main.commands(nobody);
    Map<String, String> pages = new LinkedHashMap<>();
    String day = date.substring(0, "2000-01-01".length());
    add(root.getCommandSpec(), day, pages);
    return pages;
  }

  private static void add(CommandSpec command, String day, Map<String, String> pages) {
    pages.put(fileName(command), page(command, day));
    for (CommandLine sub : command.subcommands().values()) {
      add(sub.getCommandSpec(), day, pages);
    }
  }

  private static String name(CommandSpec command) {
    return command.qualifiedName("-");
  }

  private static String fileName(CommandSpec command) {
    return name(command) + "." + SECTION;
  }

  private static String page(CommandSpec command, String day) {
    UsageMessageSpec usage = command.usageMessage();
    Troff page = new Troff();
    page.title(
        name(command).toUpperCase(Locale.ROOT),
        SECTION,
        day,
        command.version()[0].replaceAll(" on Java.*", ""));
    page.section("NAME");
    String[] description = text(usage.description());
    page.paragraph(name(command) + " - " + firstSentence(description[0]));
    page.section("SYNOPSIS");
    page.paragraph(
        new Help(command, Help.defaultColorScheme(Help.Ansi.OFF))
            .synopsis(0)
            .replaceAll("\\s+", " "));
    page.section("DESCRIPTION");
    Arrays.stream(description).forEach(page::paragraph);
    if (!command.positionalParameters().isEmpty()) {
      page.section("ARGUMENTS");
      for (PositionalParamSpec argument : command.positionalParameters()) {
        page.item(argument.paramLabel(), description(argument));
      }
    }
    page.section("OPTIONS");
    for (OptionSpec option : command.options()) {
      String label = option.arity().max() == 0 ? "" : "=" + option.paramLabel();
      page.item(String.join(", ", option.names()) + label, description(option));
    }
    if (!command.subcommands().isEmpty()) {
      page.section("COMMANDS");
      for (CommandLine sub : command.subcommands().values()) {
        CommandSpec subcommand = sub.getCommandSpec();
        page.item(
            name(subcommand) + "(" + SECTION + ")",
            firstSentence(text(subcommand.usageMessage().description())[0]));
      }
    }
    if (!usage.exitCodeList().isEmpty()) {
      page.section("EXIT STATUS");
      usage.exitCodeList().forEach(page::item);
    }
    page.section("EXAMPLES");
    page.literal(text(usage.footer()));
    page.section("SEE ALSO");
    page.paragraph(seeAlso(command));
    return page.toString();
  }

  private static String seeAlso(CommandSpec command) {
    CommandSpec root = command.root();
    return root.subcommands().values().stream()
        .map(CommandLine::getCommandSpec)
        .filter(other -> other != command)
        .map(other -> name(other) + "(" + SECTION + ")")
        .collect(
            Collectors.joining(
                ", ", command == root ? "" : name(root) + "(" + SECTION + "), ", ""));
  }

  private static String description(ArgSpec argument) {
    return String.join(" ", text(argument.description()));
  }

  /** Returns lines as the help shows them, which treats lines with percent signs as formats. */
  private static String[] text(String[] lines) {
    return Arrays.stream(lines)
        .map(line -> line.contains("%") ? String.format(Locale.ROOT, line) : line)
        .toArray(String[]::new);
  }

  private static String firstSentence(String text) {
    int end = text.indexOf(". ");
    String sentence = end < 0 ? text : text.substring(0, end);
    return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
  }
}
