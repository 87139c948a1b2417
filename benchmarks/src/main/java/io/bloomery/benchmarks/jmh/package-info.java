/**
 * The same operations under JMH, as a second opinion: each implementation in a JVM of its own
 * instead of turn by turn in one.
 *
 * <p>Times are sampled, and the median is the figure to look at: on a machine that is shared an
 * average is mostly about the neighbours. An invocation takes 1,000 keys, so microseconds an
 * invocation are nanoseconds a key.
 */
package io.bloomery.benchmarks.jmh;
