/** The operations on the blocks of split-block filters, by vectors. Read {@code VectorKernel}. */
package io.bloomery.vector;
