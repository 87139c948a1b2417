/** Saved filters, and the commands that create, query, change, merge and describe them. */
@NullMarked
package io.bloomery.cli.filter;

import org.jspecify.annotations.NullMarked;
