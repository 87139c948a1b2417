package io.bloomery.examples;

import io.bloomery.Bloomery;
import io.bloomery.LiveBloomFilter;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * What a crawler has seen, over all its runs: a filter that lives in its file, so that a crawler
 * that was killed goes on where it was. Of many threads that find one page at the same moment, one
 * is told to fetch it.
 */
public final class CrawlerDedupe implements AutoCloseable {

  private final LiveBloomFilter<String> seen;

  /**
   * Opens what earlier runs have seen; nothing if the file is not there.
   *
   * @param pages the number of pages expected in all runs, always the same
   */
  public CrawlerDedupe(Path file, long pages) throws IOException {
    seen = Bloomery.strings().expect(pages).fpp(0.001).openOrCreate(file);
  }

  /** Returns whether an address is to be fetched: true once for each page, at most. */
  public boolean shouldFetch(String address) {
    return seen.put(canonical(address));
  }

  /** Returns about how many pages were seen. */
  public long pages() {
    return seen.stats().approximateKeys().orElseThrow();
  }

  @Override
  public void close() throws IOException {
    seen.close();
  }

  /** Returns one spelling for the spellings of an address: a filter takes keys as they are. */
  static String canonical(String address) {
    URI uri = URI.create(address).normalize();
    String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    return uri.getScheme().toLowerCase(Locale.ROOT)
        + "://"
        + uri.getRawAuthority().toLowerCase(Locale.ROOT)
        + path
        + query;
  }

  /** Shows three addresses of two pages; none of them is fetched when this is run again. */
  public static void main(String... args) throws IOException {
    try (CrawlerDedupe crawler = new CrawlerDedupe(Path.of("crawled.live"), 1_000_000)) {
      for (String address :
          List.of(
              "https://example.org/a", "HTTPS://Example.org/b/../a#top", "https://example.org/b")) {
        System.out.println((crawler.shouldFetch(address) ? "fetch " : "seen  ") + address);
      }
    }
  }
}
