package io.bloomery.vector;

import io.bloomery.conformance.FilterContract;
import io.bloomery.filter.FilterProvider;
import io.bloomery.partitioned.SplitBlockProvider;

/** Every rule on filters that use vectors; the one that asks another JVM asks one without. */
class SplitBlockContractTest extends FilterContract {

  @Override
  protected FilterProvider provider() {
    return new SplitBlockProvider();
  }
}
