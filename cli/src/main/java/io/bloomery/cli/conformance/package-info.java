/** The command that holds every rule against the variants that are installed or named by path. */
@NullMarked
package io.bloomery.cli.conformance;

import org.jspecify.annotations.NullMarked;
