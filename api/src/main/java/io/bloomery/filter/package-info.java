/**
 * The contract of filters: sets of 64-bit hashes, what makes and reads them, and what is known of
 * them.
 *
 * <p>Users of filters seldom need more of it than {@link io.bloomery.filter.FilterStats} and {@link
 * io.bloomery.filter.FilterPlan}. Authors of a variant begin with {@link
 * io.bloomery.filter.FilterProvider} and {@link io.bloomery.filter.Filter}.
 */
@NullMarked
package io.bloomery.filter;

import org.jspecify.annotations.NullMarked;
