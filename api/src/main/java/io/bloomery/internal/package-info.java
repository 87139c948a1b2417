/**
 * What the variants of this project share and nobody else may depend on: positions of a hash,
 * formulas of blocks, spin locks. It is exported to them by name and imports nothing of this
 * library.
 */
package io.bloomery.internal;
