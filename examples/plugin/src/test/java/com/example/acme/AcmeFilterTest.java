package com.example.acme;

import io.bloomery.conformance.FilterContract;
import io.bloomery.filter.FilterProvider;

public class AcmeFilterTest extends FilterContract {

  @Override
  protected FilterProvider provider() {
    return new AcmeProvider();
  }
}
