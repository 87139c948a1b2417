/**
 * Files of filters: opened, mapped, changed, merged, verified and carried through serialization.
 *
 * <p>{@link io.bloomery.file.FilterFiles} handles filters of any type of keys; {@link
 * io.bloomery.FilterBuilder} opens filters of one type of keys. {@code docs/FORMAT.md} describes
 * every byte.
 */
@NullMarked
package io.bloomery.file;

import org.jspecify.annotations.NullMarked;
