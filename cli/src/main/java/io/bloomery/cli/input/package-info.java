/**
 * Files and pipes as records: lines, tables, compression, and the batches of lines that commands
 * process. Nothing here uses filters, except {@link io.bloomery.cli.input.SeenLines}.
 */
@NullMarked
package io.bloomery.cli.input;

import org.jspecify.annotations.NullMarked;
