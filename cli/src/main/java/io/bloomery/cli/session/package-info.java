/**
 * What commands share about their process: standard streams, terminal, progress, exit codes and
 * error messages. This package does not depend on filters or lines.
 */
@NullMarked
package io.bloomery.cli.session;

import org.jspecify.annotations.NullMarked;
