/**
 * What authors of variants build on.
 *
 * <p>Read {@link io.bloomery.spi.TableFilter} and {@link io.bloomery.spi.TableProvider} first: a
 * variant that keeps its bits in one table extends both. {@link io.bloomery.spi.BitTable} is that
 * table, {@link io.bloomery.spi.WordProbes} and {@link io.bloomery.spi.Probes} turn a hash into
 * positions, and {@link io.bloomery.spi.Sizing} holds the formulas.
 */
package io.bloomery.spi;
