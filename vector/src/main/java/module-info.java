import org.jspecify.annotations.NullMarked;

/** Blocked filters with vectors of 256 bits: present is enough, there is nothing to call. */
@NullMarked
module io.bloomery.vector {
  requires io.bloomery.blocked;
  requires jdk.incubator.vector;
  requires static org.jspecify;

  provides io.bloomery.blocked.BlockedKernel with
      io.bloomery.vector.VectorKernel;
}
