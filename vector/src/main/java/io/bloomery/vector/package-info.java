/** The operations on the blocks of split-block filters, by vectors. Read {@code VectorKernel}. */
@NullMarked
package io.bloomery.vector;

import org.jspecify.annotations.NullMarked;
