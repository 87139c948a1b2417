/** The targets of links of Markdown files on the site. */
@NullMarked
package io.bloomery.site.link;

import org.jspecify.annotations.NullMarked;
