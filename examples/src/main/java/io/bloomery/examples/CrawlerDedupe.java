package io.bloomery.examples;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import java.net.URI;
import java.util.List;
import java.util.Locale;

/**
 * What a crawler has seen, when nobody knows how much it will see: a filter that grows. Of many
 * threads that find one page at the same moment, one is told to fetch it.
 */
public final class CrawlerDedupe {

  private final BloomFilter<String> seen =
      Bloomery.strings().expect(10_000).variant("scalable").fpp(0.001).create();

  /** Returns whether an address is to be fetched: true once for each page, at most. */
  public boolean shouldFetch(String address) {
    return seen.put(canonical(address));
  }

  /** Returns about how many pages were seen. */
  public long pages() {
    return seen.stats().approximateKeys().orElseThrow();
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

  /** Shows three addresses of two pages. */
  public static void main(String... args) {
    CrawlerDedupe crawler = new CrawlerDedupe();
    for (String address :
        List.of(
            "https://example.org/a", "HTTPS://Example.org/b/../a#top", "https://example.org/b")) {
      System.out.println((crawler.shouldFetch(address) ? "fetch " : "seen  ") + address);
    }
  }
}
