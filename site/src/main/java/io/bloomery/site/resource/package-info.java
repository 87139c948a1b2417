/** Files that pages need as they are: style sheet, scripts, frame. */
@NullMarked
package io.bloomery.site.resource;

import org.jspecify.annotations.NullMarked;
