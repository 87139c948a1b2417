package io.bloomery.file;

import io.bloomery.Bloomery;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import io.bloomery.fixture.PlainProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM of its own that merges more files than it may open. */
final class ManyFilesProcess {

  private ManyFilesProcess() {}

  /** Merges so many filters in a folder, and says how many keys that they hold are lost. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    int count = Integer.parseInt(arguments[1]);
    List<Path> paths = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      // Of several parts: each file is opened again for the next.
      Filter filter = new PlainProvider().create(FilterSpec.of(200_000, 0.01), ThreadMode.CONFINED);
      filter.put(UpdatingProcess.hash(i));
      Path path = folder.resolve(i + ".bloom");
      FilterFiles.save(filter, path);
      paths.add(path);
    }
    Path target = folder.resolve("all.bloom");
    Bloomery bloomery = Bloomery.with(new PlainProvider());
    bloomery.files().merge(target, paths);
    Filter merged = bloomery.files().open(target, OpenOptions.confined());
    int lost = 0;
    for (int i = 0; i < count; i++) {
      lost += merged.mightContain(UpdatingProcess.hash(i)) ? 0 : 1;
    }
    System.out.println(count + " merged, " + lost + " lost");
  }
}
