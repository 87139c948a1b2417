/** The numbers of the page that sizes filters. */
@NullMarked
package io.bloomery.site.sizing;

import org.jspecify.annotations.NullMarked;
