/** The site: pages generated from the Markdown in the repository. */
@NullMarked
package io.bloomery.site;

import org.jspecify.annotations.NullMarked;
