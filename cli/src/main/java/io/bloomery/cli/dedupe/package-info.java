/** The command that drops repeated lines, and what it may have dropped wrongly. */
@NullMarked
package io.bloomery.cli.dedupe;

import org.jspecify.annotations.NullMarked;
