/** The index that pages are searched by, made when they are. */
@NullMarked
package io.bloomery.site.search;

import org.jspecify.annotations.NullMarked;
