/**
 * The compared implementations, each used in the way its library intends. Every contender is loaded
 * in a class loader of its own, together with its library and separate JIT profiles.
 *
 * <p>There is one class for each library, and hardly anything else, so that the package is larger
 * than others.
 */
package io.bloomery.benchmarks.contender;
