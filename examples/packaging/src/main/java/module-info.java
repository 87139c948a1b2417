/** A program that asks for variants by name, and so does not require their modules. */
module com.example.packed {
  requires io.bloomery;
}
