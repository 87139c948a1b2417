/**
 * Hash functions of keys: how a key becomes bytes, and bytes become 64 bits.
 *
 * <p>{@link io.bloomery.hash.KeyHasher} has all of them.
 */
@NullMarked
package io.bloomery.hash;

import org.jspecify.annotations.NullMarked;
