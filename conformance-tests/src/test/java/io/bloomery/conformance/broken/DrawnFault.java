package io.bloomery.conformance.broken;

import io.bloomery.conformance.Rule;
import io.bloomery.filter.FilterProvider;
import java.util.List;

/**
 * A provider with a fault that was drawn.
 *
 * @param what what is wrong, and where
 * @param provider the provider
 * @param first the rules that are likely to see it, which are checked before all others
 */
public record DrawnFault(String what, FilterProvider provider, List<Rule> first) {}
