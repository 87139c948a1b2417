/**
 * How counts are judged: exact tails of the binomial and the chi-squared distribution, and one
 * budget for what chance all judgements of a run have to fail a filter that is right.
 */
@NullMarked
package io.bloomery.conformance.statistics;

import org.jspecify.annotations.NullMarked;
