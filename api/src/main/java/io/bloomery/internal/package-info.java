/**
 * Code shared by the modules of this project and not intended for others: positions of a hash,
 * formulas of blocks, spin locks, keyed hashing. The package is exported to these modules only and
 * depends on no other package of this library.
 */
@NullMarked
package io.bloomery.internal;

import org.jspecify.annotations.NullMarked;
