/** The memory of filters on the heap, by object, compared with their plans. */
package io.bloomery.benchmarks.memory;
