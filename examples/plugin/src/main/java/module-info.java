/** Two variants of a third party, found as {@code acme-power-of-two} and {@code acme-blocked}. */
module com.example.acme {
  requires io.bloomery;

  provides io.bloomery.filter.FilterProvider with
      com.example.acme.AcmeProvider,
      com.example.acme.AcmeBlockedProvider;
}
