/** Which pages there are, and from what each is made. */
@NullMarked
package io.bloomery.site.page;

import org.jspecify.annotations.NullMarked;
