/** Charts, drawn as SVG from what was measured and planned. */
@NullMarked
package io.bloomery.site.chart;

import org.jspecify.annotations.NullMarked;
