/**
 * Files and pipes as records: lines, tables, compression, and the batches in which they reach a
 * filter. Nothing here knows of filters.
 */
@NullMarked
package io.bloomery.cli.input;

import org.jspecify.annotations.NullMarked;
