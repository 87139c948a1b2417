/** The commands that say what filters would take before any is made, in numbers and in pictures. */
@NullMarked
package io.bloomery.cli.sizing;

import org.jspecify.annotations.NullMarked;
