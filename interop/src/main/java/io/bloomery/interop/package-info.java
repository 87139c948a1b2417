/**
 * The Bloom filters of other systems: {@link io.bloomery.interop.ForeignFormat} names a layout,
 * {@link io.bloomery.interop.ForeignFilter} is what was read or created, and {@link
 * io.bloomery.interop.ItemEncoding} says which bytes of a key that system hashes.
 *
 * <p>None of these formats has a checksum, and none says how keys became bytes: a wrong format or
 * encoding makes members absent without a word. {@link
 * io.bloomery.interop.ForeignFilter#requireMembers} is the guard.
 */
package io.bloomery.interop;
