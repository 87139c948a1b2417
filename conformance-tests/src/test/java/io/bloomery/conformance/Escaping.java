package io.bloomery.conformance;

import io.bloomery.conformance.broken.PatchedFilter;
import io.bloomery.conformance.broken.PatchedProvider;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.ThreadMode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;

/** Providers that end their JVM, or bring it to a standstill, and so would end what checks them. */
final class Escaping {

  private Escaping() {}

  /** Ends the JVM as if all were well, from some sizes on. */
  static final class Exits extends PatchedProvider {
    @Override
    protected PatchedFilter wrap(MergeableFilter filter, ThreadMode mode) {
      return new PatchedFilter(this, filter, mode) {
        @Override
        public boolean put(long hash) {
          if (large()) {
            System.exit(0);
          }
          return super.put(hash);
        }
      };
    }
  }

  /** Writes to all files that its JVM has open what might say that all is done, and ends it. */
  static final class Pretends extends PatchedProvider {
    @Override
    public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
      System.out.println("says that all is done");
      File[] open = new File("/proc/self/fd").listFiles();
      for (File link : open == null ? new File[0] : open) {
        try {
          Path file = link.toPath().toRealPath();
          if (file.toString().endsWith(".progress")) {
            Path forged = Files.createTempFile("forged", "");
            new ProgressFile(forged.toFile(), ProgressFile.newKey()).write(ChildTask.Mark.DONE);
            Files.write(file, Files.readAllBytes(forged), StandardOpenOption.APPEND);
            Files.delete(forged);
          }
        } catch (IOException e) {
          // Not a file.
        }
      }
      Runtime.getRuntime().halt(0);
      return super.create(spec, mode, limits);
    }
  }

  /** Ends whatever loads it. */
  static final class EndsAtOnce extends PatchedProvider {
    static {
      Runtime.getRuntime().halt(0);
    }
  }

  /** Hangs whatever loads it. */
  static final class HangsAtOnce extends PatchedProvider {
    HangsAtOnce() {
      while (true) {
        LockSupport.park();
      }
    }
  }

  /** Never comes back from a question. */
  static final class Hangs extends PatchedProvider {
    private volatile boolean isOver;

    @Override
    protected PatchedFilter wrap(MergeableFilter filter, ThreadMode mode) {
      return new PatchedFilter(this, filter, mode) {
        @Override
        public boolean mightContain(long hash) {
          while (!isOver) {
            Thread.onSpinWait();
          }
          return super.mightContain(hash);
        }
      };
    }
  }

  /** Prints what is for nobody but its author, and has no other fault. */
  static final class Chatters extends PatchedProvider {
    @Override
    protected PatchedFilter wrap(MergeableFilter filter, ThreadMode mode) {
      System.out.println("wrapped by " + mode);
      return super.wrap(filter, mode);
    }
  }
}
