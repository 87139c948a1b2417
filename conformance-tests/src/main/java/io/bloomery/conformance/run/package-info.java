/**
 * What a run of the suite tries, what it applies to, and what it has seen: tiers, capabilities,
 * evidence.
 */
@NullMarked
package io.bloomery.conformance.run;

import org.jspecify.annotations.NullMarked;
