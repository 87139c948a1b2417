/**
 * Bloom filters of other systems: {@link io.bloomery.interop.ForeignFormat} is a format, {@link
 * io.bloomery.interop.ForeignFilter} a filter that was read or created, and {@link
 * io.bloomery.interop.ItemEncoding} the encoding of keys that the system hashes.
 *
 * <p>No format but that of {@code dcso-gzip} has a checksum, and none stores the encoding of keys:
 * with a wrong format or encoding, queries report members as absent without an error. {@link
 * io.bloomery.interop.ForeignFilter#requireMembers} protects against this.
 */
package io.bloomery.interop;
