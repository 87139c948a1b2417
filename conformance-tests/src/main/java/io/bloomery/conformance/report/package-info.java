/**
 * Reports of conformance runs, for programs and for human readers: for each provider a JSON file
 * and a file of JUnit XML. {@code docs/conformance-report.md} describes every field.
 */
@NullMarked
package io.bloomery.conformance.report;

import org.jspecify.annotations.NullMarked;
