/**
 * The conformance suite: numbered rules that every filter keeps, as tests of any provider.
 *
 * <p>Extend {@link io.bloomery.conformance.FilterContract} in your own module; {@code
 * docs/RULES.md} describes for each {@link io.bloomery.conformance.Rule} its reason, its chance of
 * a false alarm and what to look for when it fails. {@link
 * io.bloomery.conformance.ConformanceRunner} runs the same rules from a program, and {@code
 * InstalledFiltersConformanceTest} is a test of every installed provider, for Surefire's {@code
 * dependenciesToScan}.
 */
@NullMarked
package io.bloomery.conformance;

import org.jspecify.annotations.NullMarked;
