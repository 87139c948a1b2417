/** What filters take in the heap, object by object, beside what their plans say. */
package io.bloomery.benchmarks.memory;
