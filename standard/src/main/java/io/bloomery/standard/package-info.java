/**
 * The classic Bloom filter: k bits of one bit array for each key. {@code StandardFilter} has the
 * algorithm; sizes are computed by {@link io.bloomery.internal.Sizing}.
 */
@NullMarked
package io.bloomery.standard;

import org.jspecify.annotations.NullMarked;
