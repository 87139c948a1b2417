/**
 * What every command has of the process it runs in: standard streams, terminal, progress, how it
 * ends and what it says when it fails. Nothing here knows of filters or lines.
 */
@NullMarked
package io.bloomery.cli.session;

import org.jspecify.annotations.NullMarked;
