/** Checks of published artifacts, and of the time of the tests of all modules; never deployed. */
@NullMarked
package io.bloomery.publishing;

import org.jspecify.annotations.NullMarked;
