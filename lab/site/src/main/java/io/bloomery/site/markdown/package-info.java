/** Markdown files as HTML: their headings, sections, tables and code. */
@NullMarked
package io.bloomery.site.markdown;

import org.jspecify.annotations.NullMarked;
