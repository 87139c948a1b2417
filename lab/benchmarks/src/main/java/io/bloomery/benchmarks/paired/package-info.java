/**
 * A contest of implementations in one JVM: each in a class loader of its own, in short alternating
 * turns, compared by round.
 */
package io.bloomery.benchmarks.paired;
