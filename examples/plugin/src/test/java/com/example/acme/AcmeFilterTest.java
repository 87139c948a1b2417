package com.example.acme;

import io.bloomery.FilterProvider;
import io.bloomery.conformance.FilterContract;

class AcmeFilterTest extends FilterContract {

  @Override
  protected FilterProvider provider() {
    return new AcmeProvider();
  }
}
