/** The search index, generated with the pages. */
@NullMarked
package io.bloomery.site.search;

import org.jspecify.annotations.NullMarked;
