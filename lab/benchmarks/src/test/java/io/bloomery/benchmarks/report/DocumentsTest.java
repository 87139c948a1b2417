package io.bloomery.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentsTest {

  private static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();

  @Test
  void pagesSayWhatTheResultsSay() throws IOException {
    Documents documents = new Documents(ROOT);
    String again = "is not what lab/benchmarks/results say; run lab/benchmarks/run --write-docs";
    assertEquals(Documents.section(documents.page().tables()), documents.summary().read(), again);
    assertEquals(
        Documents.section(documents.page().headline()), documents.headline().read(), again);
  }

  private static Documents documentsWithEmptySections(Path root) throws IOException {
    Files.createDirectory(root.resolve("docs"));
    for (String page : new String[] {"docs/performance.md", "README.md"}) {
      StringBuilder text = new StringBuilder("before\n");
      for (String section : new String[] {"summary", "speed"}) {
        text.append(
                "<!-- begin %s: written by lab/benchmarks/run, not by hand -->\n"
                    .formatted(section))
            .append("old\n<!-- end %s -->\n".formatted(section));
      }
      Files.writeString(root.resolve(page), text.append("after\n"));
    }
    return new Documents(root);
  }

  @Test
  void writingLeavesTheRestOfAPageAloneAndOfAnotherProcessorItHasTheRatios(@TempDir Path root)
      throws IOException {
    Documents documents = documentsWithEmptySections(root);
    documents.write(MadeUp.report("Slide(R) Rule(TM) 3 CPU @ 1 Hz"));
    documents.write(MadeUp.report());
    String page = Files.readString(root.resolve("docs/performance.md"));
    assertTrue(page.startsWith("before\n<!-- begin summary"), page);
    assertTrue(page.endsWith("-->\nold\n<!-- end speed -->\nafter\n"), page);
    assertTrue(Files.exists(root.resolve("lab/benchmarks/results/slide-rule-3.json")));
    assertEquals(
        """

        ### 10^5 keys

        |  | hit | miss |
        |---|---|---|
        | **standard** | 12.5 (4.96/4.96) | 10.0 (7.00/7.00) |
        | **blocked** | 4.00 (15.5/15.5) | 3.50 (20.0/20.0) |
        | guava | 62.0 | 70.0 |
        | parquet | 20.0 (3.10/3.10) | – |
        | fastfilter | 11.0 (5.64/5.64) | 14.0 (5.00/5.00) |
        | *one-word* | 2.00 (31.0/31.0) | – |

        Measured on 2026-11-21, on Abacus 9, 4 cores, 8 GiB of memory, L1 32 KiB, L2 1 MiB; \
        Linux 6.1 amd64; OpenJDK 64-Bit Server VM 17.0.15, with `-Xmx1g`. \
        Again: `lab/benchmarks/run --quick`.
        On 2026-11-21: Slide(R) Rule(TM) 3 CPU @ 1 Hz, 4 cores, 8 GiB of memory, L1 32 KiB, \
        L2 1 MiB; Linux 6.1 amd64; OpenJDK 64-Bit Server VM 17.0.15.

        guava 33.8.0-jre.

        """,
        documents.summary().read());
  }
}
