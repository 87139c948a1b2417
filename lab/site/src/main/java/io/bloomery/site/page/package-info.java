/** The pages and their sources. */
@NullMarked
package io.bloomery.site.page;

import org.jspecify.annotations.NullMarked;
