/**
 * A contest of implementations in one JVM: each in a class loader of its own, in short turns one
 * after the other, compared round by round.
 */
package io.bloomery.benchmarks.paired;
