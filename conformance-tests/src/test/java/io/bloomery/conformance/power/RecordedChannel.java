package io.bloomery.conformance.power;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;

/** A channel of a file or folder whose writes and forces are recorded. */
final class RecordedChannel extends FileChannel {

  private final FileChannel real;
  private final Path path;
  private final History history;
  private final History.Node node;

  /**
   * Makes a channel.
   *
   * @param node null if it is outside of the folder that is recorded
   */
  RecordedChannel(FileChannel real, Path path, History history, History.Node node) {
    this.real = real;
    this.path = path;
    this.history = history;
    this.node = node;
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    synchronized (history) {
      long at = real.position();
      int written = write(from, at);
      real.position(at + written);
      return written;
    }
  }

  @Override
  public int write(ByteBuffer from, long at) throws IOException {
    synchronized (history) {
      history.lookForForces();
      ByteBuffer bytes = from.duplicate();
      int written = real.write(from, at);
      byte[] copy = new byte[written];
      bytes.get(copy);
      history.written(node, at, copy);
      return written;
    }
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    synchronized (history) {
      real.truncate(size);
      history.resized(node, size);
      return this;
    }
  }

  /** Records it and does nothing more, since that takes milliseconds. */
  @Override
  public void force(boolean metadata) {
    history.forced(node);
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long at, long size) throws IOException {
    MappedByteBuffer mapped = real.map(mode, at, size);
    if (mode == MapMode.READ_WRITE) {
      history.mapped(new RecordedMapping(node, path, at, mapped));
    }
    return mapped;
  }

  @Override
  public long write(ByteBuffer[] from, int first, int count) {
    throw new UnsupportedOperationException("not recorded: a write of many buffers");
  }

  @Override
  public long transferFrom(ReadableByteChannel from, long at, long count) {
    throw new UnsupportedOperationException("not recorded: a transfer");
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    return real.read(into);
  }

  @Override
  public long read(ByteBuffer[] into, int first, int count) throws IOException {
    return real.read(into, first, count);
  }

  @Override
  public int read(ByteBuffer into, long at) throws IOException {
    return real.read(into, at);
  }

  @Override
  public long position() throws IOException {
    return real.position();
  }

  @Override
  public FileChannel position(long position) throws IOException {
    real.position(position);
    return this;
  }

  @Override
  public long size() throws IOException {
    return real.size();
  }

  @Override
  public long transferTo(long at, long count, WritableByteChannel to) throws IOException {
    return real.transferTo(at, count, to);
  }

  @Override
  public FileLock lock(long at, long size, boolean isShared) throws IOException {
    return real.lock(at, size, isShared);
  }

  @Override
  public FileLock tryLock(long at, long size, boolean isShared) throws IOException {
    return real.tryLock(at, size, isShared);
  }

  @Override
  protected void implCloseChannel() throws IOException {
    real.close();
  }
}
