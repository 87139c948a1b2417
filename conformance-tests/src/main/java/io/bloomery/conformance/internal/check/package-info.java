/**
 * The tools of rule checks: context, all cases of a domain, races of two threads, measurements of a
 * rate, and a watchdog. This package is independent of the rules.
 */
@NullMarked
package io.bloomery.conformance.internal.check;

import org.jspecify.annotations.NullMarked;
