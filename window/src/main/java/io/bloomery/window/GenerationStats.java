package io.bloomery.window;

import io.bloomery.filter.FilterStats;

/**
 * Statistics of one of the three generations of a {@link SlidingFilter}.
 *
 * @param keys how many different keys it has taken, false positives of its own not counted
 * @param newKeys how many of these were remembered by no generation when they came
 * @param filter the statistics of its filter, which is made for all keys of the window at a third
 *     of its rate
 */
public record GenerationStats(long keys, long newKeys, FilterStats filter) {}
