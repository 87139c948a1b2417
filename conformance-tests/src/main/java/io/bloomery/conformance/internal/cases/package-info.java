/**
 * What rules are checked on: cases drawn over all that a provider offers, counted by class, and
 * made as small as they can be where a rule fails. Nothing here knows a rule.
 */
@NullMarked
package io.bloomery.conformance.internal.cases;

import org.jspecify.annotations.NullMarked;
