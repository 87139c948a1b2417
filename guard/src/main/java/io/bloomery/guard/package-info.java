/**
 * Guards, which put a Bloom filter in front of a source: {@link io.bloomery.guard.Guard} for a
 * source that is written through it, {@link io.bloomery.guard.ReadOnlyGuard} for a filter that is
 * filled elsewhere.
 */
package io.bloomery.guard;
