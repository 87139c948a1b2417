/** The kernel of split-block filters in terms of vectors: {@code VectorKernel}. */
@NullMarked
package io.bloomery.vector;

import org.jspecify.annotations.NullMarked;
