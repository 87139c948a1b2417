/**
 * Malformed inputs that try to break the readers of every variant: {@link
 * io.bloomery.conformance.hostile.HostileCampaign} derives them from the output of filters, using
 * only {@code docs/FORMAT.md}, and counts the outcomes.
 */
@NullMarked
package io.bloomery.conformance.hostile;

import org.jspecify.annotations.NullMarked;
