/** Checks of what is published: by the script {@code release}, never deployed itself. */
@NullMarked
package io.bloomery.publishing;

import org.jspecify.annotations.NullMarked;
