/**
 * The checks of the rules, one class per topic. {@link io.bloomery.conformance.Rule} lists the
 * rules and the check of each.
 */
@NullMarked
package io.bloomery.conformance.internal.rules;

import org.jspecify.annotations.NullMarked;
