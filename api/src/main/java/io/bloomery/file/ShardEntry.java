package io.bloomery.file;

import java.io.Serializable;

/**
 * The manifest entry of a shard's file, by which a missing, exchanged or foreign file is detected.
 *
 * @param length the size of the file in bytes
 * @param headerChecksum the checksum stored in its header
 * @param trailerChecksum the checksum of its trailer, which covers the whole content
 */
public record ShardEntry(long length, int headerChecksum, int trailerChecksum)
    implements Serializable {}
