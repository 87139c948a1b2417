/**
 * The cases that rules are checked on: drawn from everything that a provider offers, counted by
 * class, and minimised where a rule fails. This package is independent of the rules.
 */
@NullMarked
package io.bloomery.conformance.internal.cases;

import org.jspecify.annotations.NullMarked;
