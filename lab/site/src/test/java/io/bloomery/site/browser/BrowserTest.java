package io.bloomery.site.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import io.bloomery.site.link.BuiltSite;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** Opens every page of the finished site in a browser, and uses what can be used. */
class BrowserTest {

  private static final Path FOLDER = Path.of(System.getProperty("site.folder", "target/site"));
  private static final String SITE = FOLDER.toAbsolutePath().normalize().toUri().toString();
  private static final Path PICTURES = FOLDER.resolveSibling("screenshots");
  private static final String WITHOUT =
      "site: no page was opened in a browser; install Debian's chromium and chromium-driver";

  private static Browser browser;

  @BeforeAll
  static void start() {
    Optional<Browser> started = Browser.start();
    if (started.isEmpty()) {
      if (System.getProperty("site.browser", "optional").equals("required")) {
        fail(WITHOUT);
      }
      System.out.println(WITHOUT);
      abort(WITHOUT);
    }
    browser = started.get();
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      browser.close();
    }
  }

  // As files, from which pages may load less than from a server.
  private static void open(String page) {
    browser.open(SITE + page);
  }

  private static void assertQuiet(String page) throws IOException {
    assertEquals(List.of(), browser.complaints(), page);
    for (String request : browser.requests()) {
      assertTrue(
          request.startsWith(SITE) || request.startsWith("data:"), page + " asks " + request);
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

  /** A table that scrolls shows more than its first column before it is scrolled. */
  private static void assertSecondColumnsAreInSight(String page) {
    Object hidden =
        browser.run(
            """
            return Array.from(document.querySelectorAll(".scroll"))
              .filter(box => box.scrollWidth > box.clientWidth)
              .filter(box => Array.from(box.querySelectorAll("tr > :nth-child(2)")).some(cell =>
                cell.getBoundingClientRect().left - box.getBoundingClientRect().left
                  > 0.6 * box.clientWidth))
              .map(box => box.outerHTML.slice(0, 200)).join("\\n");
            """);
    assertEquals("", hidden, page + " has columns behind the edge");
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
          if (telephone) {
            assertSecondColumnsAreInSight(state);
          }
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

  private static void type(String selector, String text) {
    WebElement input = browser.find(selector);
    input.clear();
    input.sendKeys(text);
  }

  @Test
  void theSizingPageShowsWhatIsChosen() throws IOException {
    browser.resize(false);
    open("sizing.html");
    assertEquals("standard 1,000,000 1,199,120 9.59 7 0.0100 0.157 7 reads", row("standard"));
    choose("#for", "1GB");
    choose("#fpp", "0.01");
    choose("#variant", "counting");
    assertTrue(row("counting").startsWith("counting 399,014,548 999,999,984 "), row("counting"));
    assertTrue(
        browser
            .find("#sizing-command")
            .getText()
            .startsWith(
                "bloomery size --bytes 1GB --fpp 0.01\nbloomery create --variant counting "));
    assertQuiet("sizing.html");
  }

  private static String row(String variant) {
    return browser.find("tr[data-variant='" + variant + "']").getText().replaceAll("\\s+", " ");
  }

  private static void choose(String select, String value) {
    browser.find(select + " option[value='" + value + "']").click();
  }

  @Test
  void onATelephoneNoRateIsBehindTheEdge() throws IOException {
    browser.resize(true);
    open("sizing.html");
    Object hidden =
        browser.run(
            """
            const width = document.documentElement.clientWidth;
            return Array.from(document.querySelectorAll("#sizing-table td"))
              .filter(e => e.getBoundingClientRect().right > width + 1)
              .map(e => e.textContent).join();
            """);
    browser.resize(false);
    assertEquals("", hidden);
  }

  @Test
  void anAddressBringsAQuestionBack() throws IOException {
    open("sizing.html?for=500000000&fpp=0.001&variant=scalable");
    String code = browser.find("#sizing-code").getText();
    assertTrue(code.contains("expect(500_000_000).fpp(0.001)"), code);
    assertTrue(code.contains("scalable"), code);
  }

  @Test
  void searchFindsSectionsOfAllPagesWithoutANetwork() throws IOException {
    browser.resize(false);
    open("redis.html");
    type("#search input", "secret sip");
    Object found = waitFor("return document.querySelector('#found a')?.getAttribute('href')");
    assertTrue((found + "").contains("#"), found + "");
    browser.find("#search input").sendKeys(Keys.ARROW_DOWN, Keys.ENTER);
    waitFor("return location.pathname.endsWith('/redis.html') ? null : location.pathname");
    assertTrue(browser.address().endsWith(found + ""), browser.address() + " " + found);
    type("#search input", "xyzzyplugh");
    assertEquals(
        "Nothing found", waitFor("return document.querySelector('#found .none')?.textContent"));
    assertQuiet("search");
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
