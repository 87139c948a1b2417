/**
 * Tools for authors of variants.
 *
 * <p>Read {@link io.bloomery.spi.TableFilter} and {@link io.bloomery.spi.TableProvider} first: a
 * variant that keeps its bits in one table extends both. {@link io.bloomery.spi.BitTable} is that
 * table, {@link io.bloomery.spi.MappedTable} the same in a mapped file, {@link
 * io.bloomery.spi.Probes} derives the positions of a hash, {@link io.bloomery.spi.TableLayout}
 * holds the formulas, and {@link io.bloomery.spi.TableBlocks} those of tables cut into blocks.
 */
@NullMarked
package io.bloomery.spi;

import org.jspecify.annotations.NullMarked;
