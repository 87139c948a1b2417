/** The commands that compute the size and rate of filters, in numbers and as plots. */
@NullMarked
package io.bloomery.cli.sizing;

import org.jspecify.annotations.NullMarked;
