/**
 * Fixtures of the rules: the provider under test wrapped, hashes, filters brought about by a
 * history, payloads, streams that fail, a model set. Nothing here knows a rule or a run.
 */
@NullMarked
package io.bloomery.conformance.internal.kit;

import org.jspecify.annotations.NullMarked;
