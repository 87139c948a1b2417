package io.bloomery.site.markdown;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.TextNode;

/** Highlights comments, strings and keywords of code, as far as patterns can. */
final class CodeColors {

  private static final String STRING = "(?<s>\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])*')";

  private static final Pattern JAVA =
      Pattern.compile(
          "(?<c>//[^\\n]*|/\\*.*?\\*/)|"
              + STRING
              + "|(?<k>\\b(?:abstract|boolean|byte|case|catch|class|double|else|enum|extends|final"
              + "|finally|for|if|implements|import|int|interface|long|new|package|private|protected"
              + "|public|record|return|static|switch|this|throw|throws|try|var|void|while)\\b|@\\w+)",
          Pattern.DOTALL);
  private static final Pattern SHELL =
      Pattern.compile("(?<c>(?<=^|\\s)#[^\\n]*)|" + STRING + "|(?<k>^\\$ )", Pattern.MULTILINE);
  private static final Pattern PYTHON =
      Pattern.compile(
          "(?<c>#[^\\n]*)|"
              + STRING
              + "|(?<k>\\b(?:as|def|class|elif|else|for|from|if|import|in|not|return|while|with)\\b)");
  private static final Pattern XML =
      Pattern.compile("(?<c><!--.*?-->)|" + STRING + "|(?<k></?[\\w.:-]+|/?>)", Pattern.DOTALL);

  private static final Map<String, Pattern> LANGUAGES =
      Map.of(
          "java", JAVA, "sh", SHELL, "console", SHELL, "bash", SHELL, "python", PYTHON, "xml", XML);

  private CodeColors() {}

  /** Highlights an element whose class is a supported language. */
  static void apply(Element code) {
    Pattern pattern =
        LANGUAGES.entrySet().stream()
            .filter(language -> code.hasClass("language-" + language.getKey()))
            .map(Map.Entry::getValue)
            .findFirst()
            .orElse(null);
    if (pattern == null) {
      return;
    }
    String text = code.wholeText();
    code.empty();
    Matcher found = pattern.matcher(text);
    int done = 0;
    while (found.find()) {
      code.appendChild(new TextNode(text.substring(done, found.start())));
      String kind = found.group("c") != null ? "c" : found.group("s") != null ? "s" : "k";
      code.appendElement("span").addClass(kind).appendText(found.group());
      done = found.end();
    }
    code.appendChild(new TextNode(text.substring(done)));
  }
}
