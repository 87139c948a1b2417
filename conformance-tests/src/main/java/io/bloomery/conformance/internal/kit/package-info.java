/**
 * Fixtures of the rules: the wrapped provider under test, hashes, filters with a history, payloads,
 * failing streams, a model set. This package is independent of rules and runs.
 */
@NullMarked
package io.bloomery.conformance.internal.kit;

import org.jspecify.annotations.NullMarked;
