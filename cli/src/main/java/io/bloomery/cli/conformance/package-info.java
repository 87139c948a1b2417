/** The command that checks installed variants, and variants named by path, against every rule. */
@NullMarked
package io.bloomery.cli.conformance;

import org.jspecify.annotations.NullMarked;
