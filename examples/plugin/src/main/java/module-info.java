/** A variant of a third party, found as {@code acme-power-of-two}. */
module com.example.acme {
  requires io.bloomery;

  provides io.bloomery.filter.FilterProvider with
      com.example.acme.AcmeProvider;
}
