/**
 * Options that several commands share, and how their text becomes amounts, rates, times and
 * variants. What only one command has stands with it.
 */
@NullMarked
package io.bloomery.cli.option;

import org.jspecify.annotations.NullMarked;
