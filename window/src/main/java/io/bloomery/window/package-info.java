/**
 * Sliding Bloom filters: {@link io.bloomery.window.SlidingBloomFilter} of keys, {@link
 * io.bloomery.window.SlidingFilter} of hashes, and their files.
 */
package io.bloomery.window;
