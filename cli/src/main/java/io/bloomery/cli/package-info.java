/**
 * The {@code bloomery} command: filters whose keys are lines of files and pipes.
 *
 * <p>Start with {@link io.bloomery.cli.Main}, which knows every command; each command is a class of
 * its own, in the package of its topic. Here stands what knows all of them: the entry, help,
 * completion and manual. Below are the topics, {@code filter}, {@code redis}, {@code dedupe},
 * {@code sizing}, {@code trial} and {@code conformance}, and what these share: {@code input},
 * {@code key}, {@code option} and {@code session}, each of which uses only those behind it.
 */
@NullMarked
package io.bloomery.cli;

import org.jspecify.annotations.NullMarked;
