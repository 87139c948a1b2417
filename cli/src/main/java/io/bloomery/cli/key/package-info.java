/**
 * Keys as bytes: their syntax, their hash functions, and secrets. This package does not depend on
 * where keys come from.
 */
@NullMarked
package io.bloomery.cli.key;

import org.jspecify.annotations.NullMarked;
