package io.bloomery.site.markdown;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** The anchors that GitHub generates for headings, which links in the repository use. */
final class Slugs {

  private static final Pattern DROPPED = Pattern.compile("[^\\p{L}\\p{M}\\p{N}_\\- ]");

  private final Map<String, Integer> uses = new HashMap<>();

  /** Returns the anchor of the next heading of a file. */
  String next(String heading) {
    String slug =
        DROPPED.matcher(heading.toLowerCase(Locale.ROOT)).replaceAll("").replace(' ', '-');
    int before = uses.merge(slug, 1, Integer::sum) - 1;
    return before == 0 ? slug : slug + "-" + before;
  }
}
