package io.bloomery.cli.option;

import io.bloomery.Bloomery;
import java.util.Iterator;

/** The names of the installed variants, for the help. */
public final class Variants implements Iterable<String> {

  @Override
  public Iterator<String> iterator() {
    return Bloomery.installed().providers().variants().iterator();
  }
}
