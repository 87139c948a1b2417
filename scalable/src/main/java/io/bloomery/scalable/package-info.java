/**
 * Scalable Bloom filters, which grow by layers: filters of other variants, each larger and with a
 * lower rate than the one before. {@link io.bloomery.scalable.ScalableProvider} has the parameters,
 * {@code LayerPlan} the sizes and rates of the layers, {@code ScalableFilter} the algorithm.
 */
@NullMarked
package io.bloomery.scalable;

import org.jspecify.annotations.NullMarked;
