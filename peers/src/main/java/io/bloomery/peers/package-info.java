/**
 * The Bloom filters of other libraries as {@link io.bloomery.filter.FilterProvider}s, so that the
 * rules can be held against them, and the page that tells what came of it.
 *
 * <p>{@link io.bloomery.peers.Peer} is one of them, {@link io.bloomery.peers.Peers} are all; {@link
 * io.bloomery.peers.Judge} runs the rules, {@code PeersPage} writes {@code docs/peers.md}.
 */
package io.bloomery.peers;
