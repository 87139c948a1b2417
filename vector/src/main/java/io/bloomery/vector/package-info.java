/** The kernel of blocked filters in terms of vectors: {@code VectorKernel}. */
@NullMarked
package io.bloomery.vector;

import org.jspecify.annotations.NullMarked;
