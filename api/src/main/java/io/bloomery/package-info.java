/**
 * Bloom filters, as their users see them.
 *
 * <p>{@link io.bloomery.Bloomery} is the front door and {@link io.bloomery.BloomFilter} what comes
 * out of it. Below keys lie hashes: a {@link io.bloomery.filter.Filter} is a set of 64-bit hashes,
 * a {@link io.bloomery.hash.KeyHasher} makes them, and a {@link io.bloomery.filter.FilterProvider}
 * makes filters of one variant.
 *
 * <p>Words used throughout: <i>key</i>, what the caller has; <i>hash</i>, 64 bits of it; <i>n</i>,
 * expected keys; <i>p</i>, the false-positive rate asked for; <i>m</i>, bits; <i>k</i>, probes;
 * <i>fill</i>, the share of bits that are set; <i>variant</i>, a kind of filter; <i>provider</i>,
 * what creates and reads a variant; <i>layout</i>, the numbers that fix where a hash's bits lie.
 */
@NullMarked
package io.bloomery;

import org.jspecify.annotations.NullMarked;
