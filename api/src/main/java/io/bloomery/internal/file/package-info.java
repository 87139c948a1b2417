/**
 * Files that are replaced as a whole and never changed: written, locked and read so that neither a
 * failure nor another process makes anybody lose what they hold.
 */
@NullMarked
package io.bloomery.internal.file;

import org.jspecify.annotations.NullMarked;
