/** The frame around the content of each page: head, navigation, table of contents, footer. */
@NullMarked
package io.bloomery.site.frame;

import org.jspecify.annotations.NullMarked;
