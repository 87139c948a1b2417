package io.bloomery.benchmarks.paired;

/**
 * One number about one entrant that is not a time: bits a key, a rate, bytes allocated.
 *
 * @param what what was measured, with its unit
 * @param keys how many keys the filter was made for, and held
 */
public record Measure(String what, KeyKind kind, long keys, String entrant, double value) {}
