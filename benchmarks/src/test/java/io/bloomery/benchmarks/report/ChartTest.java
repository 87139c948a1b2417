package io.bloomery.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class ChartTest {

  @Test
  void queriesHaveABarForEveryoneAndTheTimesAsText() throws Exception {
    Set<String> texts = texts(QueryChart.svg(MadeUp.matrix(), 100_000));
    assertTrue(
        texts.containsAll(
            List.of("guava", "fastfilter", "parquet", "one-word", "standard", "split-block")),
        texts::toString);
    assertTrue(texts.containsAll(List.of("62.0", "3.5", "hit, ns", "miss, ns")), texts::toString);
  }

  @Test
  void costHasALineForEveryoneAndTheCaches() throws Exception {
    Set<String> texts = texts(CostChart.svg(MadeUp.cost()));
    assertTrue(
        texts.containsAll(
            List.of("standard", "split-block", "one-line", "L1 32 KiB", "L2 1 MiB", "keys")),
        texts::toString);
  }

  private static Set<String> texts(String svg) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
    Document chart = factory.newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    assertEquals("svg", chart.getDocumentElement().getTagName());
    NodeList nodes = chart.getElementsByTagName("text");
    Set<String> texts = new HashSet<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      texts.add(nodes.item(i).getTextContent());
    }
    return texts;
  }
}
