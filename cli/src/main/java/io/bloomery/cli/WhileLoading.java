package io.bloomery.cli;

/**
 * The time in which variants are loaded into this JVM. One that ends it then, by its constructor,
 * must not end the command as if all were well.
 */
final class WhileLoading implements AutoCloseable {

  private final Thread atEnd;

  WhileLoading(Session session) {
    atEnd =
        new Thread(
            () -> {
              session
                  .err()
                  .println(
                      "bloomery: a variant ended the program while it was loaded; take it out of "
                          + PluginPath.OPTION
                          + " or BLOOMERY_PATH");
              Runtime.getRuntime().halt(ExitCode.USAGE);
            });
    Runtime.getRuntime().addShutdownHook(atEnd);
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(atEnd);
    } catch (IllegalStateException e) {
      // It runs already.
    }
  }
}
