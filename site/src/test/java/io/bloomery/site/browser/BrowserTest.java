package io.bloomery.site.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.bloomery.site.link.BuiltSite;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** Opens every page of the finished site in a browser, and uses what can be used. */
class BrowserTest {

  private static final Path FOLDER = Path.of(System.getProperty("site.folder", "target/site"));
  private static final Path PICTURES = FOLDER.resolveSibling("screenshots");
  private static final String JAR =
      System.getProperty("bloomery.jar", "../cli/target/bloomery.jar");
  private static final String WITHOUT =
      "site: no page was opened in a browser; install Debian's chromium and chromium-driver";

  private static FolderServer server;
  private static Browser browser;

  @BeforeAll
  static void start() throws IOException {
    Optional<Browser> started = Browser.start();
    if (started.isEmpty()) {
      if (System.getProperty("site.browser", "optional").equals("required")) {
        fail(WITHOUT);
      }
      System.out.println(WITHOUT);
      abort(WITHOUT);
    }
    browser = started.get();
    server = new FolderServer(FOLDER);
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      browser.close();
      server.close();
    }
  }

  private static void open(String page) throws IOException {
    browser.open(server.address() + page);
  }

  private static void assertQuiet(String page) throws IOException {
    assertEquals(List.of(), browser.complaints(), page);
    for (String request : browser.requests()) {
      assertTrue(
          request.startsWith(server.address()) || request.startsWith("data:"),
          page + " asks " + request);
    }
  }

  private static void assertFits(String page) {
    Object wide =
        browser.run(
            """
            const width = document.documentElement.clientWidth;
            if (document.documentElement.scrollWidth <= width) {
              return "";
            }
            return Array.from(document.body.querySelectorAll("*"))
              .filter(e => e.getBoundingClientRect().right > width + 1)
              .filter(e => !e.parentElement.closest(".scroll, pre, svg"))
              .map(e => e.outerHTML.slice(0, 90)).slice(0, 5).join("\\n") || "something";
            """);
    assertEquals("", wide, page + " scrolls to the side");
  }

  /** Returns how bright what is behind the text is, from 0 to 1. */
  private static double brightness() {
    String color = browser.run("return getComputedStyle(document.body).backgroundColor") + "";
    String[] parts = color.replaceAll("[^\\d,]", "").split(",", -1);
    return (Integer.parseInt(parts[0]) + Integer.parseInt(parts[1]) + Integer.parseInt(parts[2]))
        / 765.0;
  }

  @Test
  void everyPageFitsATelephoneAndADeskByDayAndByNight() throws IOException {
    for (Path page : new BuiltSite(FOLDER).ownPages()) {
      String name = page.getFileName().toString();
      open(name);
      for (boolean telephone : new boolean[] {true, false}) {
        browser.resize(telephone);
        for (boolean dark : new boolean[] {false, true}) {
          browser.darken(dark);
          String state = name + (telephone ? "-telephone" : "-desk") + (dark ? "-dark" : "-light");
          assertFits(state);
          assertTrue(dark ? brightness() < 0.2 : brightness() > 0.9, state + " " + brightness());
          browser.photograph(PICTURES.resolve(state.replace(".html", "") + ".png"));
        }
      }
      assertQuiet(name);
    }
  }

  @Test
  void everyPageOfJavadocOpensWithoutComplaints() throws IOException {
    browser.resize(false);
    browser.darken(false);
    List<Path> pages = new BuiltSite(FOLDER.resolve("api")).pages();
    assertTrue(pages.size() > 300, pages.size() + "");
    for (Path page : pages) {
      String name = FOLDER.toAbsolutePath().normalize().relativize(page).toString();
      if (name.endsWith("package-summary.html") || name.split("/").length == 2) {
        open(name);
        assertQuiet(name);
      }
    }
  }

  private static JsonNode size(String keys, String rate) throws IOException {
    Process command =
        new ProcessBuilder("java", "-jar", JAR, "size", "--json", "--keys", keys, "--fpp", rate)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String output = new String(command.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return JsonMapper.builder().build().readTree(output).required("variants");
  }

  private static void type(String selector, String text) {
    WebElement input = browser.find(selector);
    input.clear();
    input.sendKeys(text);
  }

  @ParameterizedTest
  @CsvSource({
    "1M, 1 %, 0.01",
    "10M, 0.001, 0.001",
    "123456, 2.5e-5, 2.5e-5",
    "1e9, 0.1 %, 0.001",
    "100, 1e-8, 1e-8"
  })
  void aPriceOnThePageIsThatOfTheCommand(String keys, String typed, String rate)
      throws IOException {
    browser.resize(false);
    open("sizing.html");
    type("#keys", keys);
    type("#fpp", typed);
    JsonNode variants = size(keys, rate);
    assertEquals(6, variants.size());
    for (JsonNode variant : variants) {
      String name = variant.required("variant").asText();
      WebElement row = browser.find("tr[data-variant='" + name + "']");
      if (variant.has("refusal")) {
        assertFalse(row.getDomAttribute("data-refusal").isBlank(), name);
        continue;
      }
      assertEquals(
          variant.required("payloadInBits").asLong(),
          Long.parseLong(row.getDomAttribute("data-bits")),
          name);
      assertEquals(
          variant.required("probes").asInt(),
          Integer.parseInt(row.getDomAttribute("data-probes")),
          name);
      assertEquals(
          variant.required("rate").asDouble(),
          Double.parseDouble(row.getDomAttribute("data-rate")),
          0,
          name);
      assertEquals(
          variant.required("rateAtTwice").asDouble(),
          Double.parseDouble(row.getDomAttribute("data-rate-at-twice")),
          0,
          name);
      String bitsPerKey = "%.2f".formatted(variant.required("bitsPerKey").asDouble());
      assertEquals(bitsPerKey, row.findElements(By.tagName("td")).get(0).getText());
    }
    assertTrue(browser.find("#sizing-chart svg").isDisplayed());
    assertQuiet("sizing.html");
  }

  @Test
  void linesOfEqualRatesAreOneLineWithAllTheirNames() throws IOException {
    browser.resize(false);
    open("sizing.html?keys=1M&fpp=1+%25&variant=partitioned");
    String keys = browser.find("#sizing-chart figcaption").getText();
    assertTrue(keys.contains("standard, partitioned"), keys);
    assertTrue(keys.contains("counting, counting-fast"), keys);
    assertEquals("standard, partitioned", browser.find("#sizing-chart .key.selected").getText());
    assertTrue(
        browser
            .find("#sizing-command")
            .getText()
            .startsWith("bloomery create --variant partitioned --expected 1000000 --fpp 0.01 \\"));
  }

  @Test
  void whatIsNoNumberIsRefusedAndTheLastAnswerStays() throws IOException {
    browser.resize(false);
    open("sizing.html");
    String before = browser.find("#sizing-answer").getText();
    type("#keys", "many");
    WebElement error = browser.find("#sizing-error");
    assertTrue(error.isDisplayed());
    assertTrue(error.getText().contains("“many”"), error.getText());
    type("#keys", "2M");
    assertFalse(error.isDisplayed());
    assertNotEquals(before, browser.find("#sizing-answer").getText());
    type("#fpp", "100 %");
    assertTrue(error.getText().contains("between 0 and 1"), error.getText());
  }

  @Test
  void anAddressBringsAQuestionBack() throws IOException {
    open("sizing.html?keys=3M&fpp=0.5+%25&variant=scalable");
    String answer = browser.find("#sizing-answer").getText();
    assertTrue(answer.contains("3,000,000") && answer.contains("scalable"), answer);
  }

  @Test
  void searchFindsSectionsOfAllPagesWithoutANetwork() throws IOException {
    browser.resize(false);
    open("redis.html");
    type("#search input", "secret sip");
    Object found = waitFor("return document.querySelector('#found a')?.getAttribute('href')");
    assertTrue((found + "").contains("#"), found + "");
    browser.find("#search input").sendKeys(Keys.ARROW_DOWN, Keys.ENTER);
    waitFor("return location.pathname === '/redis.html' ? null : location.pathname");
    assertTrue(browser.address().endsWith(found + ""), browser.address() + " " + found);
    type("#search input", "xyzzyplugh");
    assertEquals(
        "Nothing found", waitFor("return document.querySelector('#found .none')?.textContent"));
    assertQuiet("search");
  }

  @Test
  void searchWorksOnPagesThatAreOpenedAsFiles() {
    browser.open(FOLDER.toAbsolutePath().resolve("guard.html").toUri().toString());
    type("#search input", "rebuild");
    Object found = waitFor("return document.querySelector('#found a')?.getAttribute('href')");
    assertTrue((found + "").contains(".html"), found + "");
    assertEquals(List.of(), browser.complaints());
  }

  @Test
  void onATelephoneAButtonShowsAllPages() throws IOException {
    browser.resize(true);
    open("guard.html");
    assertFalse(browser.find("#pages").isDisplayed());
    browser.find("#menu").click();
    assertTrue(browser.find("#pages a[aria-current=page]").isDisplayed());
    assertFits("menu");
    browser.photograph(PICTURES.resolve("menu.png"));
    browser.resize(false);
  }

  private static Object waitFor(String script) {
    for (int i = 0; i < 100; i++) {
      Object found = browser.run(script);
      if (found != null) {
        return found;
      }
      pause();
    }
    return fail("never came: " + script);
  }

  private static void pause() {
    try {
      Thread.sleep(50);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while a page loads", e);
    }
  }
}
