/** The site: pages made of the Markdown in the repository. */
@NullMarked
package io.bloomery.site;

import org.jspecify.annotations.NullMarked;
