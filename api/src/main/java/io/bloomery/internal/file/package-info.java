/**
 * Files that are replaced as a whole and never modified, but for live ones: written, locked and
 * read so that neither a failure nor another process causes a loss of their content.
 */
@NullMarked
package io.bloomery.internal.file;

import org.jspecify.annotations.NullMarked;
