/** Where links of Markdown files lead on the site. */
@NullMarked
package io.bloomery.site.link;

import org.jspecify.annotations.NullMarked;
