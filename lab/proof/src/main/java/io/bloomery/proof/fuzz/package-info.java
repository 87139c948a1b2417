/**
 * Targets of fuzzers: each class reads whatever bytes it is given, and throws if a promise of
 * {@code SECURITY.md} does not hold. No target depends on a fuzzer.
 */
@NullMarked
package io.bloomery.proof.fuzz;

import org.jspecify.annotations.NullMarked;
