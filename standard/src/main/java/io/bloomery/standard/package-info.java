/**
 * The Bloom filter of 1970: k bits of one table for each key. Read {@code StandardFilter} for the
 * loops; sizes come from {@link io.bloomery.internal.Sizing}.
 */
@NullMarked
package io.bloomery.standard;

import org.jspecify.annotations.NullMarked;
