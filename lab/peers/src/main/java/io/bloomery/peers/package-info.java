/**
 * The Bloom filters of other libraries as {@link io.bloomery.filter.FilterProvider}s, so that the
 * rules can be checked on them, and the page with the results.
 *
 * <p>{@link io.bloomery.peers.Peer} is the base class, {@link io.bloomery.peers.Peers} lists all;
 * {@link io.bloomery.peers.Judge} runs the rules, {@code PeersPage} generates {@code
 * docs/peers.md}.
 */
package io.bloomery.peers;
