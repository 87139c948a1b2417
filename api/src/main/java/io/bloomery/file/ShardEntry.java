package io.bloomery.file;

import java.io.Serializable;

/**
 * What a manifest says of a shard's file, by which a lost, exchanged or foreign one is found.
 *
 * @param length how many bytes it has
 * @param headerChecksum the checksum of its header, as it stands there
 * @param trailerChecksum the checksum of its trailer, which stands for the whole content
 */
public record ShardEntry(long length, int headerChecksum, int trailerChecksum)
    implements Serializable {}
