/** Checks of published artifacts; never deployed. */
@NullMarked
package io.bloomery.publishing;

import org.jspecify.annotations.NullMarked;
