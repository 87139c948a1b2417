package io.bloomery.spark;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.ThreadMode;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The plan of the filter that every task creates, equal in all tasks so that filters can be merged.
 */
final class BuildPlan implements Serializable {

  private static final long serialVersionUID = 1;

  /** Our variant that does not merge: nobody is to add its jar, to learn this only then. */
  private static final String UNMERGEABLE = "scalable";

  // Not final, because deserialisation assigns the fields.
  private transient String variant;
  private transient FilterSpec spec;

  BuildPlan(String variant, FilterSpec spec) {
    this.variant = variant;
    this.spec = spec;
  }

  FilterSpec spec() {
    return spec;
  }

  String variant() {
    return variant;
  }

  private FilterProvider provider() {
    return FilterProviders.installed().get(variant);
  }

  Filter create() {
    return create(spec);
  }

  Filter create(FilterSpec of) {
    return provider().create(of, ThreadMode.CONFINED);
  }

  /** Returns the size of a filter in memory in bytes, which is about that of its file. */
  long sizeInBytes(FilterSpec of) {
    return provider().plan(of).sizeInBits() / Byte.SIZE;
  }

  /**
   * Rejects variants whose filters depend on the order of keys, or cannot be merged.
   *
   * @throws IllegalArgumentException for such a variant
   */
  void checkMergeable() {
    checkMergeable(FilterProviders.installed());
  }

  void checkMergeable(FilterProviders installed) {
    if (variant.equals(UNMERGEABLE)
        || !MergeableFilter.class.isAssignableFrom(installed.get(variant).filterType())) {
      throw new IllegalArgumentException(
          "Spark builds parts in any order and joins them, so that the variant must be one that"
              + " merges, but is '"
              + variant
              + "'; take 'standard', 'blocked' or another that does");
    }
  }

  void writeTo(DataOutputStream out) throws IOException {
    out.writeUTF(variant);
    out.writeLong(spec.expectedKeys());
    out.writeDouble(spec.falsePositiveRate());
    out.writeUTF(spec.hashId());
    out.writeInt(spec.attributes().size());
    for (Map.Entry<String, String> attribute : spec.attributes().entrySet()) {
      out.writeUTF(attribute.getKey());
      out.writeUTF(attribute.getValue());
    }
  }

  static BuildPlan readFrom(DataInputStream in) throws IOException {
    String variant = in.readUTF();
    FilterSpec spec = FilterSpec.of(in.readLong(), in.readDouble(), in.readUTF());
    SortedMap<String, String> attributes = new TreeMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      attributes.put(in.readUTF(), in.readUTF());
    }
    return new BuildPlan(variant, spec.withAttributes(attributes));
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    DataOutputStream data = new DataOutputStream(out);
    writeTo(data);
    data.flush();
  }

  private void readObject(ObjectInputStream in) throws IOException {
    BuildPlan read = readFrom(new DataInputStream(in));
    variant = read.variant;
    spec = read.spec;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BuildPlan plan
        && plan.variant.equals(variant)
        && plan.spec.equals(spec);
  }

  @Override
  public int hashCode() {
    return Objects.hash(variant, spec);
  }
}
