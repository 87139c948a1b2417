package io.bloomery.conformance;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import org.objenesis.strategy.StdInstantiatorStrategy;

/** What carries objects from one JVM to another. */
enum Carrier {
  /** Java serialization. */
  JAVA {
    @Override
    void write(Object object, OutputStream out) throws IOException {
      ObjectOutputStream objects = new ObjectOutputStream(out);
      objects.writeObject(object);
      objects.flush();
    }

    @Override
    Object read(InputStream in) throws IOException, ClassNotFoundException {
      return new ObjectInputStream(in).readObject();
    }

    @Override
    <T> T copy(T object) {
      throw new UnsupportedOperationException("it has no copy of its own");
    }
  },

  /** Kryo 4 as Spark sets it up: classes need not be registered, constructors are not called. */
  KRYO_4 {
    private Kryo kryo() {
      Kryo kryo = new Kryo();
      kryo.setRegistrationRequired(false);
      kryo.setReferences(true);
      kryo.setInstantiatorStrategy(new StdInstantiatorStrategy());
      return kryo;
    }

    @Override
    void write(Object object, OutputStream out) {
      Output output = new Output(out);
      kryo().writeClassAndObject(output, object);
      output.flush();
    }

    @Override
    Object read(InputStream in) {
      return kryo().readClassAndObject(new Input(in));
    }

    @Override
    <T> T copy(T object) {
      return kryo().copy(object);
    }
  },

  /** Kryo 5, set up likewise. */
  KRYO_5 {
    private com.esotericsoftware.kryo.kryo5.Kryo kryo() {
      var kryo = new com.esotericsoftware.kryo.kryo5.Kryo();
      kryo.setRegistrationRequired(false);
      kryo.setReferences(true);
      kryo.setInstantiatorStrategy(
          new com.esotericsoftware.kryo.kryo5.objenesis.strategy.StdInstantiatorStrategy());
      return kryo;
    }

    @Override
    void write(Object object, OutputStream out) {
      var output = new com.esotericsoftware.kryo.kryo5.io.Output(out);
      kryo().writeClassAndObject(output, object);
      output.flush();
    }

    @Override
    Object read(InputStream in) {
      return kryo().readClassAndObject(new com.esotericsoftware.kryo.kryo5.io.Input(in));
    }

    @Override
    <T> T copy(T object) {
      return kryo().copy(object);
    }
  };

  abstract void write(Object object, OutputStream out) throws IOException;

  abstract Object read(InputStream in) throws IOException, ClassNotFoundException;

  abstract <T> T copy(T object);
}
