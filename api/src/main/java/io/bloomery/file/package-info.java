/**
 * Files of filters: opened, mapped, changed, merged, verified and carried through serialization.
 *
 * <p>{@link io.bloomery.file.FilterFiles} does it for filters of any keys; {@link
 * io.bloomery.FilterBuilder} opens those of one kind of keys by it. {@code docs/FORMAT.md}
 * describes every byte.
 */
@NullMarked
package io.bloomery.file;

import org.jspecify.annotations.NullMarked;
