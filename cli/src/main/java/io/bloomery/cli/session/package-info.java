/**
 * What commands share about their process: standard streams, terminal, progress, exit codes and
 * error messages. This package depends on no other package of the command.
 */
@NullMarked
package io.bloomery.cli.session;

import org.jspecify.annotations.NullMarked;
