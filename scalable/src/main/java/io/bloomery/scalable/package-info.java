/**
 * A Bloom filter that grows: filters of other variants, each larger and stricter than the one
 * before, that answer as one. {@link io.bloomery.scalable.ScalableProvider} has the parameters;
 * read {@code SlicePlan} for the sizes and rates of the slices and {@code ScalableFilter} for the
 * rest.
 */
@NullMarked
package io.bloomery.scalable;

import org.jspecify.annotations.NullMarked;
