/**
 * Keys as bytes: how their text is written, which hash function they get, and secrets. Nothing here
 * knows where keys come from.
 */
@NullMarked
package io.bloomery.cli.key;

import org.jspecify.annotations.NullMarked;
