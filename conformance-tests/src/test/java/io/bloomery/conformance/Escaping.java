package io.bloomery.conformance;

import io.bloomery.conformance.broken.PatchedFilter;
import io.bloomery.conformance.broken.PatchedProvider;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.ThreadMode;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

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

  /** Says what a JVM under supervision says in the end, as far as it can know, and ends it. */
  static final class Pretends extends PatchedProvider {
    @Override
    public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
      String lies = "\nEND AAAA\nDONE \n" + "0".repeat(32) + "DONE \n";
      System.out.print(lies);
      try (FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
        out.write(lies.getBytes(StandardCharsets.US_ASCII));
        out.flush();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      Runtime.getRuntime().halt(0);
      return super.create(spec, mode, limits);
    }
  }

  /** Cannot be loaded under supervision. */
  static final class EndsAtOnce extends PatchedProvider {
    EndsAtOnce() {
      String main = SupervisedMain.class.getName();
      if (Arrays.stream(new Throwable().getStackTrace())
          .anyMatch(frame -> frame.getClassName().equals(main))) {
        Runtime.getRuntime().halt(0);
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
