/**
 * The implementations that are compared, each behind its library's own way of use. Every contender
 * is loaded once more in a class loader of its own, with its library and the JIT's profiles.
 */
package io.bloomery.benchmarks.contender;
