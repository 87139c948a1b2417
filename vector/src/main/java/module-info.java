import org.jspecify.annotations.NullMarked;

/** Split-block filters with vectors of 256 bits: present is enough, there is nothing to call. */
@NullMarked
module io.bloomery.vector {
  requires io.bloomery.partitioned;
  requires jdk.incubator.vector;
  requires static org.jspecify;

  provides io.bloomery.partitioned.SplitBlockKernel with
      io.bloomery.vector.VectorKernel;
}
