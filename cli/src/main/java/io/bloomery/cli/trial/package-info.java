/**
 * The commands that put real keys through every variant and compare what came of it with what was
 * promised.
 */
@NullMarked
package io.bloomery.cli.trial;

import org.jspecify.annotations.NullMarked;
