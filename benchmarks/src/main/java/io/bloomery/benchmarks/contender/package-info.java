/**
 * The compared implementations, each used in the way its library intends. Every contender is loaded
 * in a class loader of its own, together with its library and separate JIT profiles.
 */
package io.bloomery.benchmarks.contender;
