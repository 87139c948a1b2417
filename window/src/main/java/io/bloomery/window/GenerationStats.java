package io.bloomery.window;

import io.bloomery.filter.FilterStats;

/**
 * Statistics of one of the three generations of a {@link SlidingFilter}.
 *
 * @param keys the number of distinct keys put into it, without its own false positives
 * @param newKeys the number of these that no generation remembered when they were put
 * @param filter the statistics of its filter, which is created for all keys of the window at a
 *     third of its rate
 */
public record GenerationStats(long keys, long newKeys, FilterStats filter) {}
