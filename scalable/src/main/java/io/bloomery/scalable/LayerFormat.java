package io.bloomery.scalable;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.ThreadMode;
import io.bloomery.spi.TableLayout;
import java.io.IOException;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * The payload of a scalable filter: the number of layers; for each layer four words, the index of
 * its provider in {@link LayerPlan#PROVIDERS}, the numbers of its bits and probes, and the number
 * of keys that changed it; then the table of each layer. Layers are in order from the oldest to the
 * newest.
 */
final class LayerFormat {

  private static final int HEADER_WORDS = 4;

  private LayerFormat() {}

  /** Returns the size of the payload in bytes. */
  static long size(Layers layers) {
    return size(layers.oldestFirst().size(), layers.bytes());
  }

  /**
   * Returns the size of the payload in bytes, given the number of layers and the bytes of their
   * tables.
   */
  static long size(int layers, long bytes) {
    return Long.BYTES * headWords(layers) + bytes;
  }

  private static long headWords(int layers) {
    return 1 + (long) HEADER_WORDS * layers;
  }

  static void write(Layers layers, PayloadOutput out) throws IOException {
    out.begin(size(layers));
    out.writeLong(layers.oldestFirst().size());
    for (Layer layer : layers.oldestFirst()) {
      Header.of(layer).write(out);
    }
    TableOutput table = new TableOutput(out);
    for (Layer layer : layers.oldestFirst()) {
      layer.filter().writePayload(table);
    }
  }

  /**
   * Reads layers that {@link #write} wrote. They keep the layout that they have in the file if it
   * is possible, and are not planned again.
   *
   * @throws FilterFormatException if no such layers could have been written
   */
  static Layers read(LayerPlan layerPlan, PayloadInput in, ThreadMode mode) throws IOException {
    List<Header> headers = readHeaders(layerPlan, in);
    List<Layer> layers = new ArrayList<>();
    for (int i = 0; i < headers.size(); i++) {
      layers.add(readLayer(layerPlan, i, headers.get(i), in, mode));
    }
    return new Layers(layers, mode);
  }

  /**
   * Maps layers that {@link #write} wrote, each separately. It is not checked whether the number of
   * keys of a layer is possible for its set bits, since that would read the whole table.
   *
   * @throws FilterFormatException if no such layers could have been written
   */
  static FilterView map(LayerPlan layerPlan, PayloadInput in) throws IOException {
    List<Header> headers = readHeaders(layerPlan, in);
    List<FilterView> layers = new ArrayList<>();
    Set<FilterView> blocked = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int i = 0; i < headers.size(); i++) {
      Header header = headers.get(i);
      MappedLayer payload = new MappedLayer(in, header.bytes());
      FilterProvider provider = LayerPlan.PROVIDERS.get(header.provider());
      FilterView layer = provider.map(layerPlan.spec(i), header.layout().toLayout(), payload);
      layers.add(layer);
      if (LayerPlan.isBlocked(provider)) {
        blocked.add(layer);
      }
    }
    return new MappedScalable(layerPlan, layers, blocked);
  }

  /**
   * Checks layers as {@link #read} does.
   *
   * @throws FilterFormatException if no such layers could have been written
   */
  static void check(LayerPlan layerPlan, PayloadInput in) throws IOException {
    List<Header> headers = readHeaders(layerPlan, in);
    for (int i = 0; i < headers.size(); i++) {
      Header header = headers.get(i);
      TableInput table = new TableInput(in, header.bytes());
      LayerPlan.PROVIDERS
          .get(header.provider())
          .check(layerPlan.spec(i), header.layout().toLayout(), table);
      header.check(table, i);
    }
  }

  private static List<Header> readHeaders(LayerPlan layerPlan, PayloadInput in) throws IOException {
    long count = in.readLongs(1)[0];
    long maxLayers = layerPlan.layout().maxLayers();
    if (count < 1 || count > maxLayers) {
      throw in.malformed("layers must be from 1 to " + maxLayers + ", but are " + count);
    }
    long[] words = in.readLongs(HEADER_WORDS * count);
    List<Header> headers = new ArrayList<>();
    long bytes = 0;
    for (int i = 0; i < count; i++) {
      Header header;
      try {
        header = Header.of(words, i * HEADER_WORDS);
        header.check(layerPlan, i, i + 1 == count);
      } catch (IllegalArgumentException e) {
        throw in.malformed("layer " + i + ": " + e.getMessage());
      }
      headers.add(header);
      bytes += header.bytes();
    }
    if (bytes > layerPlan.layout().maxBytes()) {
      throw in.malformed(
          "layers may take " + layerPlan.layout().maxBytes() + " bytes, but take " + bytes);
    }
    long size = size(headers.size(), bytes);
    if (in.size() != size) {
      throw in.malformed(
          "payload must have " + size + " bytes for these layers, but has " + in.size());
    }
    return headers;
  }

  private static Layer readLayer(
      LayerPlan layerPlan, int number, Header header, PayloadInput in, ThreadMode mode)
      throws IOException {
    TableInput table = new TableInput(in, header.bytes());
    Filter filter =
        LayerPlan.PROVIDERS
            .get(header.provider())
            .read(
                layerPlan.spec(number), header.layout().toLayout(), table, mode, FilterLimits.HEAP);
    header.check(table, number);
    return new Layer(filter, layerPlan.keys(number), header.keys());
  }

  /** The header of a layer in a file. */
  private record Header(int provider, TableLayout layout, long keys) {

    static Header of(Layer layer) {
      String variant = layer.filter().variant();
      int provider = 0;
      while (!LayerPlan.PROVIDERS.get(provider).variant().equals(variant)) {
        provider++;
      }
      return new Header(provider, TableLayout.of(layer.filter().layout()), layer.keys());
    }

    static Header of(long[] words, int at) {
      long provider = words[at];
      if (provider < 0 || provider >= LayerPlan.PROVIDERS.size()) {
        throw new IllegalArgumentException(
            "kind must be from 0 to " + (LayerPlan.PROVIDERS.size() - 1) + ", but is " + provider);
      }
      long probes = words[at + 2];
      if (probes != (int) probes) {
        throw new IllegalArgumentException("probes out of range: " + probes);
      }
      return new Header(
          (int) provider,
          TableLayout.ofBits(words[at + 1]).withProbes((int) probes),
          words[at + 3]);
    }

    void write(PayloadOutput out) throws IOException {
      out.writeLong(provider);
      out.writeLong(layout.bits());
      out.writeLong(layout.probes());
      out.writeLong(keys);
    }

    long bytes() {
      return layout.bits() / Byte.SIZE;
    }

    /** Checks the number of keys against the parameters: all layers but the newest are full. */
    void check(LayerPlan layerPlan, int number, boolean newest) {
      layerPlan.spec(number);
      long max = layerPlan.keys(number);
      long min = newest ? Math.min(number, 1) : max;
      if (keys < min || keys > max) {
        throw new IllegalArgumentException(
            "keys must be from " + min + " to " + max + ", but are " + keys);
      }
    }

    /**
     * Checks that the number of keys is possible for the set bits of a table; each key has set at
     * least one.
     */
    void check(TableInput table, int number) throws FilterFormatException {
      long setBits = table.setBits;
      long minKeys = (setBits + layout.probes() - 1) / layout.probes();
      if (keys < minKeys || keys > setBits) {
        throw table.malformed(
            "layer "
                + number
                + ": "
                + keys
                + " keys cannot have set "
                + setBits
                + " bits with "
                + layout.probes()
                + " probes");
      }
    }
  }

  /** The part of a payload with one table, which counts its set bits. */
  private static final class TableInput implements PayloadInput {

    private final PayloadInput in;
    private final long size;
    private long setBits;

    TableInput(PayloadInput in, long size) {
      this.in = in;
      this.size = size;
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public long[] readLongs(long count) throws IOException {
      long[] words = in.readLongs(count);
      for (long word : words) {
        setBits += Long.bitCount(word);
      }
      return words;
    }

    @Override
    public LongBuffer[] mapLongs(long count) throws IOException {
      LongBuffer[] buffers = in.mapLongs(count);
      for (LongBuffer buffer : buffers) {
        for (int i = 0; i < buffer.limit(); i++) {
          setBits += Long.bitCount(buffer.get(i));
        }
      }
      return buffers;
    }

    @Override
    public FilterFormatException malformed(String reason) {
      return in.malformed(reason);
    }
  }

  /**
   * The part of a mapped payload with one table, which does not count set bits, as that would read
   * all of it.
   */
  private record MappedLayer(PayloadInput in, long size) implements PayloadInput {

    @Override
    public long[] readLongs(long count) throws IOException {
      return in.readLongs(count);
    }

    @Override
    public LongBuffer[] mapLongs(long count) throws IOException {
      return in.mapLongs(count);
    }

    @Override
    public FilterFormatException malformed(String reason) {
      return in.malformed(reason);
    }
  }

  /** The output for one table in a payload. */
  private record TableOutput(PayloadOutput out) implements PayloadOutput {

    @Override
    public void begin(long size) {
      // The payload has begun with the size of all tables.
    }

    @Override
    public void writeLong(long word) throws IOException {
      out.writeLong(word);
    }

    @Override
    public void writeLongs(long[] words, int from, int to) throws IOException {
      out.writeLongs(words, from, to);
    }
  }
}
