package io.bloomery.cli;

import io.bloomery.Bloomery;
import java.util.Iterator;

/** The names of the installed variants, for the help. */
final class Variants implements Iterable<String> {

  @Override
  public Iterator<String> iterator() {
    return Bloomery.installed().providers().variants().iterator();
  }
}
