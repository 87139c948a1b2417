/**
 * Reports of conformance runs, for programs and for people: one file of JSON for each provider, and
 * a page of Markdown made from it. {@code docs/conformance-report.md} lists every field.
 */
@NullMarked
package io.bloomery.conformance.report;

import org.jspecify.annotations.NullMarked;
