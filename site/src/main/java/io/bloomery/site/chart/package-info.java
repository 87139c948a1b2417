/** Charts, drawn as SVG from measurements and plans. */
@NullMarked
package io.bloomery.site.chart;

import org.jspecify.annotations.NullMarked;
