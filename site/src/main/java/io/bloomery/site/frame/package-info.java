/** What is around the content of each page: head, navigation, table of contents, foot. */
@NullMarked
package io.bloomery.site.frame;

import org.jspecify.annotations.NullMarked;
