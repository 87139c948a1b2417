/**
 * How counts are judged: exact tails of the binomial and the chi-squared distribution, and one
 * budget for what chance all judgements of a run have to fail a filter that is right.
 */
package io.bloomery.conformance.statistics;
