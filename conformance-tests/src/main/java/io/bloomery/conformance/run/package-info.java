/** Parameters and results of a run of the suite: tiers, capabilities, evidence. */
@NullMarked
package io.bloomery.conformance.run;

import org.jspecify.annotations.NullMarked;
