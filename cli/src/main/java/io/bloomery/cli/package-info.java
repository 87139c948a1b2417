/**
 * The {@code bloomery} command: filters whose keys are lines of files and pipes.
 *
 * <p>Start with {@link io.bloomery.cli.Main}, which lists all commands; each command is a class in
 * the package of its topic. This package contains what needs all of them: the entry point, help,
 * completion and manual. The subpackages are the topics {@code filter}, {@code redis}, {@code
 * dedupe}, {@code sizing}, {@code trial} and {@code conformance}, and what they share: {@code
 * foreign}, {@code input}, {@code key}, {@code option} and {@code session}, each of which depends
 * only on those after it.
 */
@NullMarked
package io.bloomery.cli;

import org.jspecify.annotations.NullMarked;
