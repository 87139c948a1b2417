/**
 * Code that the modules of this project share and nobody else may depend on: positions of a hash,
 * formulas of blocks, spin locks, hashing with a secret. It is exported to them by name and imports
 * nothing of this library.
 */
@NullMarked
package io.bloomery.internal;

import org.jspecify.annotations.NullMarked;
