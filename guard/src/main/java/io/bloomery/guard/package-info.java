/**
 * Guards: {@link io.bloomery.guard.Guard} for a source that is written here, {@link
 * io.bloomery.guard.ReadOnlyGuard} for a filter that others fill, and what both are made of.
 */
package io.bloomery.guard;
