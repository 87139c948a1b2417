/** A modular program that can be linked into a run-time image. */
module com.example.modular {
  requires io.bloomery;
  requires io.bloomery.window;
}
