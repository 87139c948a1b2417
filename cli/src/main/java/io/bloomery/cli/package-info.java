/**
 * The {@code bloomery} command: filters whose keys are lines of files and pipes.
 *
 * <p>Start with {@link io.bloomery.cli.Main}, which knows every command; each command is a class of
 * its own. They share {@code Inputs} and {@code LineBatch} for what they read, {@code LineFilter}
 * for filter files, and {@code Failure} for whatever ends in one line and an exit code.
 */
@NullMarked
package io.bloomery.cli;

import org.jspecify.annotations.NullMarked;
