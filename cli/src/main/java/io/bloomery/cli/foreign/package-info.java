/**
 * Access to filters of other systems (reading, queries, changes), and the interfaces common to all
 * filters of lines. The commands are in {@code filter}.
 */
@NullMarked
package io.bloomery.cli.foreign;

import org.jspecify.annotations.NullMarked;
