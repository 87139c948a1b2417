package io.bloomery.cli.sizing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.cli.JsonObjects;
import io.bloomery.cli.Run;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.StaticFilterProvider;
import io.bloomery.standard.StandardProvider;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is shown of plans of filters that are built once, which have no more than n keys. */
class BuiltOnceTest {

  // Only planned.
  private static final Bloomery BLOOMERY =
      Bloomery.with(
          (StaticFilterProvider)
              Proxy.newProxyInstance(
                  StaticFilterProvider.class.getClassLoader(),
                  new Class<?>[] {StaticFilterProvider.class},
                  (proxy, method, arguments) -> method.invoke(new StandardProvider(), arguments)));

  @Test
  void aTableHasNoRateOfTwiceTheKeys() throws Exception {
    String text = size().out();
    String[] row = text.lines().skip(1).findFirst().orElseThrow().strip().split(" +", -1);
    assertEquals("-", row[6], text);
    assertTrue(text.contains("A filter that is built once takes no more than n keys."), text);
    Map<String, Object> json = JsonObjects.array(size("--json").json(), "variants").get(0);
    assertTrue(json.containsKey("rateAtTwice"));
    assertNull(json.get("rateAtTwice"));
  }

  private static Run size(Object... more) {
    return Run.with(InputStream.nullInputStream(), () -> BLOOMERY, "size", "--keys", 1_000, more);
  }

  @Test
  void aCurveEndsAtTheExpectedKeys() throws IOException {
    RateCurves curves = RateCurves.ofVariants(BLOOMERY, FilterSpec.of(1_200, 0.01));
    int steps = curves.curves().get("standard").rates().size();
    assertEquals(1_200, curves.keys().get(steps - 1));
    List<String> drawing =
        RateText.of(curves, 69).lines().filter(line -> line.indexOf('|') == 8).toList();
    int end = drawing.stream().mapToInt(line -> line.lastIndexOf('o')).max().orElseThrow();
    assertEquals(9 + 20 - 1, end, 1, String.join("\n", drawing));
    assertTrue(RatePicture.bytes(curves, PictureFormat.SVG).length > 0);
  }
}
