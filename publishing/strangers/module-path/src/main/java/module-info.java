/** A program of modules, which an image can be linked of. */
module com.example.modular {
  requires io.bloomery;
  requires io.bloomery.window;
}
