/** Static files of pages: style sheet, scripts, frame. */
@NullMarked
package io.bloomery.site.resource;

import org.jspecify.annotations.NullMarked;
