package io.bloomery.vector;

import io.bloomery.blocked.BlockedProvider;
import io.bloomery.conformance.FilterContract;
import io.bloomery.filter.FilterProvider;

/** Every rule on filters that use vectors; the one that asks another JVM asks one without. */
class BlockedContractTest extends FilterContract {

  @Override
  protected FilterProvider provider() {
    return new BlockedProvider();
  }
}
