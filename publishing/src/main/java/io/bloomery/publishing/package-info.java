/** Checks of what is published, and of the time that tests of all modules take; never deployed. */
@NullMarked
package io.bloomery.publishing;

import org.jspecify.annotations.NullMarked;
