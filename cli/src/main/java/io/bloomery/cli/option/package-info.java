/**
 * Options that several commands share, and the conversion of their text to amounts, rates,
 * durations and variants. Options of a single command are declared in that command.
 */
@NullMarked
package io.bloomery.cli.option;

import org.jspecify.annotations.NullMarked;
