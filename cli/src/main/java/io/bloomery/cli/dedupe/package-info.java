/** The command that drops repeated lines, and the bound on how many it drops wrongly. */
@NullMarked
package io.bloomery.cli.dedupe;

import org.jspecify.annotations.NullMarked;
