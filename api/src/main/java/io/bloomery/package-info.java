/**
 * Bloom filters of keys, and the entry point of the library.
 *
 * <p>Start with {@link io.bloomery.Bloomery}, whose builders create and open {@link
 * io.bloomery.BloomFilter}s. Underneath, a {@link io.bloomery.hash.KeyHasher} maps keys to 64-bit
 * hashes, a {@link io.bloomery.filter.Filter} is a set of such hashes, and a {@link
 * io.bloomery.filter.FilterProvider} creates filters of one variant.
 *
 * <p>Terms used throughout: <i>key</i>, an element of the set; <i>hash</i>, the 64-bit hash of a
 * key; <i>n</i>, the expected number of keys; <i>p</i>, the requested false-positive probability,
 * also called rate; <i>m</i>, the number of bits in the bit array; <i>k</i>, the number of hash
 * functions, whose values for a key are its probes; <i>fill</i>, the fraction of bits that are set;
 * <i>variant</i>, a kind of filter; <i>provider</i>, the factory and reader of a variant;
 * <i>layout</i>, the numbers that determine the bit positions of a hash.
 */
@NullMarked
package io.bloomery;

import org.jspecify.annotations.NullMarked;
