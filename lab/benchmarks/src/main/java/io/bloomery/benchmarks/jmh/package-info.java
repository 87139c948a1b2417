/**
 * The same operations measured with JMH, for comparison: each implementation in a separate JVM
 * instead of in turns in one.
 *
 * <p>Times are sampled, and the median is the relevant figure: on a shared machine, an average
 * mostly depends on other load. An invocation processes 1,000 keys, so microseconds per invocation
 * are nanoseconds per key.
 */
package io.bloomery.benchmarks.jmh;
