package io.bloomery.site.browser;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A Chromium without a window, as installed on this machine, that is driven from outside. */
final class Browser implements AutoCloseable {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final List<String> CHROMIUM =
      List.of("chromium", "chromium-browser", "google-chrome");
  private static final Logger LOG = Logger.getLogger("org.openqa.selenium");
  private static final int TELEPHONE = 360;
  private static final int DESK = 1_280;

  private final ChromeDriver driver;

  private Browser(Path chromium, Path chromedriver) {
    // It warns that it knows no newer commands of this version; those used here are old.
    LOG.setLevel(Level.SEVERE);
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    logs.enable(LogType.PERFORMANCE, Level.ALL);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(chromium.toFile());
    options.addArguments(
        "--headless",
        "--no-sandbox", // which root has none of; only pages of ours are opened
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync");
    options.setCapability("goog:loggingPrefs", logs);
    driver =
        new ChromeDriver(
            new ChromeDriverService.Builder()
                .usingDriverExecutable(chromedriver.toFile())
                .withSilent(true)
                .build(),
            options);
  }

  /** Starts one, if this machine has it and what drives it. */
  static Optional<Browser> start() {
    Optional<Path> chromium = CHROMIUM.stream().flatMap(Browser::onPath).findFirst();
    Optional<Path> chromedriver = onPath("chromedriver").findFirst();
    return chromium.isPresent() && chromedriver.isPresent()
        ? Optional.of(new Browser(chromium.get(), chromedriver.get()))
        : Optional.empty();
  }

  private static Stream<Path> onPath(String name) {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable);
  }

  /** Opens a page, and forgets what was complained of and asked for before. */
  void open(String address) {
    driver.manage().logs().get(LogType.BROWSER);
    driver.manage().logs().get(LogType.PERFORMANCE);
    driver.get(address);
  }

  String address() {
    return Objects.requireNonNull(driver.getCurrentUrl());
  }

  WebElement find(String selector) {
    return driver.findElement(By.cssSelector(selector));
  }

  Object run(String script, Object... arguments) {
    return driver.executeScript(script, arguments);
  }

  /** Gives the page the width of a telephone, or of a window on a desk. */
  void resize(boolean telephone) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of(
            "width",
            telephone ? TELEPHONE : DESK,
            "height",
            telephone ? 740 : 900,
            "deviceScaleFactor",
            1,
            "mobile",
            telephone));
  }

  void darken(boolean dark) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
  }

  /** Returns what scripts and pages complained of since this was asked last. */
  List<String> complaints() {
    return StreamSupport.stream(driver.manage().logs().get(LogType.BROWSER).spliterator(), false)
        .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
        .map(LogEntry::getMessage)
        // Browsers ask for it by themselves where a page names no icon.
        .filter(message -> !message.contains("/favicon.ico"))
        .toList();
  }

  /** Returns the addresses that were asked for since this was asked last. */
  List<String> requests() throws JsonProcessingException {
    List<String> messages =
        StreamSupport.stream(driver.manage().logs().get(LogType.PERFORMANCE).spliterator(), false)
            .map(LogEntry::getMessage)
            .toList();
    Stream.Builder<String> requests = Stream.builder();
    for (String message : messages) {
      JsonNode event = JSON.readTree(message).path("message");
      if (event.path("method").asText().equals("Network.requestWillBeSent")) {
        requests.add(event.path("params").path("request").path("url").asText());
      }
    }
    return requests.build().toList();
  }

  void photograph(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
  }

  @Override
  public void close() {
    driver.quit();
  }
}
