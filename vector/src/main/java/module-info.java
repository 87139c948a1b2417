import org.jspecify.annotations.NullMarked;

/** Filters with vectors of 256 and 512 bits: present is enough, there is nothing to call. */
@NullMarked
module io.bloomery.vector {
  requires io.bloomery.blocked;
  requires jdk.incubator.vector;
  requires static org.jspecify;

  provides io.bloomery.blocked.BlockedKernel with
      io.bloomery.vector.VectorKernel;
  provides io.bloomery.internal.CellKernel with
      io.bloomery.vector.CellBatch;
  provides io.bloomery.internal.PairKernel with
      io.bloomery.vector.PairBatch;
  provides io.bloomery.internal.ProbeKernel with
      io.bloomery.vector.ProbeBatches;
}
