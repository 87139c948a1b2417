package io.bloomery.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** A JVM of its own that saves a filter when it ends, as services do. */
final class LastSaveProcess {

  private LastSaveProcess() {}

  /** Registers the save and ends. */
  public static void main(String[] arguments) {
    Thread last =
        new Thread(
            () -> {
              try {
                FilterFiles.save(SavingProcess.filter(1), Path.of(arguments[0]));
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    Runtime.getRuntime().addShutdownHook(last);
  }
}
