/**
 * Statistical tests of counts: exact tails of the binomial and chi-squared distributions, and one
 * budget for the probability that the tests of a run fail a correct filter.
 */
@NullMarked
package io.bloomery.conformance.statistics;

import org.jspecify.annotations.NullMarked;
