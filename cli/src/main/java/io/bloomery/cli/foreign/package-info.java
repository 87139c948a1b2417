/**
 * Filters of other systems as the command reads, asks and changes them, and what any filter of
 * lines can do. The commands themselves stand in {@code filter}.
 */
@NullMarked
package io.bloomery.cli.foreign;

import org.jspecify.annotations.NullMarked;
