/** The kernels of filters in terms of vectors. */
@NullMarked
package io.bloomery.vector;

import org.jspecify.annotations.NullMarked;
