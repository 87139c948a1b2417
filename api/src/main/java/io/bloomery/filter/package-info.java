/**
 * The contract of filters: sets of 64-bit hashes, the providers that create and read them, their
 * specifications, plans and statistics.
 *
 * <p>Users of filters seldom need more of this package than {@link io.bloomery.filter.FilterStats}
 * and {@link io.bloomery.filter.FilterPlan}. Authors of a variant begin with {@link
 * io.bloomery.filter.FilterProvider} and {@link io.bloomery.filter.Filter}.
 */
@NullMarked
package io.bloomery.filter;

import org.jspecify.annotations.NullMarked;
