/**
 * The binary fuse filter, which is built once from all its hashes: {@code FuseLayout} computes
 * sizes, {@code Peeling} builds the cells, {@code FuseFilter} asks them.
 */
@NullMarked
package io.bloomery.fuse;

import org.jspecify.annotations.NullMarked;
