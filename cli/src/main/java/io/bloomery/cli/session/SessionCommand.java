package io.bloomery.cli.session;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command below the top-level one, with the headings that the help of all of them shares. */
@Command(exitCodeListHeading = "%nExit codes:%n", footerHeading = "%nExample:%n")
public abstract class SessionCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  protected final CommandSpec spec() {
    return spec;
  }

  /** Returns the session that the top-level command has. */
  protected final Session session() {
    return ((BloomeryCommand) spec.root().userObject()).session();
  }
}
