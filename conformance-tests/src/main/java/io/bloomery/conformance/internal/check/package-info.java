/**
 * What the check of a rule is given: its context, all cases of a domain, races of two threads,
 * samples of a rate, and a watchdog. Nothing here knows a rule.
 */
@NullMarked
package io.bloomery.conformance.internal.check;

import org.jspecify.annotations.NullMarked;
