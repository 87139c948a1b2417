/**
 * The commands that test every variant with real keys and compare the results with the guarantees.
 */
@NullMarked
package io.bloomery.cli.trial;

import org.jspecify.annotations.NullMarked;
