package io.bloomery.conformance.user;

import io.bloomery.conformance.FilterContract;
import io.bloomery.filter.FilterProvider;
import io.bloomery.standard.StandardProvider;

/** Uses the suite as another module does: from outside its package, by one method. */
class StandardFilterTest extends FilterContract {
  @Override
  protected FilterProvider provider() {
    return new StandardProvider();
  }
}
