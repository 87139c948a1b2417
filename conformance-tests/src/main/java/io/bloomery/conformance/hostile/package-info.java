/**
 * Bytes that were made up to break whoever reads them, tried on every variant: {@link
 * io.bloomery.conformance.hostile.HostileCampaign} makes them of what filters write, by {@code
 * docs/FORMAT.md} alone, and counts what came of each.
 */
@NullMarked
package io.bloomery.conformance.hostile;

import org.jspecify.annotations.NullMarked;
