package io.bloomery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.file.FilterFiles;
import io.bloomery.file.OpenOptions;
import io.bloomery.file.SerializableFilter;
import io.bloomery.file.ShardedFilterFiles;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.Sharding;
import io.bloomery.filter.ThreadMode;
import io.bloomery.fixture.MappingProvider;
import io.bloomery.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each public method with each of its arguments null, and all others in order. */
class NullArgumentsTest {

  @TempDir private Path folder;

  private static Filters<String> strings() {
    return Bloomery.with(new MappingProvider()).keys(KeyHasher.strings());
  }

  private static BloomFilter<String> filter() {
    return strings().expect(9).variant("plain").create();
  }

  private Path file() {
    return folder.resolve("seen.bloom");
  }

  private Map<Class<?>, Supplier<Object>> arguments() {
    Sharding sharding = Sharding.of(filter().spec(), 1);
    return Map.ofEntries(
        Map.entry(Path.class, this::file),
        Map.entry(Duration.class, () -> Duration.ZERO),
        Map.entry(List.class, () -> List.of(folder.resolve("other.bloom"))),
        Map.entry(OpenOptions.class, OpenOptions::shared),
        Map.entry(Function.class, Function::identity),
        Map.entry(InputStream.class, () -> new ByteArrayInputStream(bytes())),
        Map.entry(ByteBuffer.class, () -> ByteBuffer.wrap(bytes())),
        Map.entry(OutputStream.class, OutputStream::nullOutputStream),
        Map.entry(Filter.class, () -> filter().filter()),
        Map.entry(BloomFilter.class, NullArgumentsTest::filter),
        Map.entry(BloomFilterView.class, NullArgumentsTest::filter),
        Map.entry(FilterSpec.class, () -> filter().spec()),
        Map.entry(FilterLimits.class, () -> filter().filter().limits()),
        Map.entry(FilterProviders.class, () -> FilterProviders.of(new MappingProvider())),
        Map.entry(Sharding.class, () -> sharding),
        Map.entry(ThreadMode.class, () -> ThreadMode.SHARED),
        Map.entry(KeyHasher.class, KeyHasher::strings),
        Map.entry(String.class, () -> "plain"),
        Map.entry(Iterable.class, () -> List.of("key")),
        Map.entry(Object.class, () -> "key"),
        Map.entry(long.class, () -> (long) bytes().length),
        Map.entry(int.class, () -> 1),
        Map.entry(double.class, () -> 0.01));
  }

  private static byte[] bytes() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      FilterFiles.write(filter().filter(), out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private List<Supplier<Object>> receivers() {
    return List.of(
        NullArgumentsTest::strings,
        () -> strings().expect(9),
        NullArgumentsTest::filter,
        () -> new FilterFiles(FilterProviders.of(new MappingProvider())),
        () -> new ShardedFilterFiles(FilterProviders.of(new MappingProvider())),
        () -> SerializableFilter.of(filter().filter()),
        () -> strings().expect(9).variant("plain").shards(1, folder.resolve("shards")));
  }

  @Test
  void noneIsAccepted() throws Exception {
    filter().save(folder.resolve("other.bloom"));
    List<String> accepted = new ArrayList<>();
    TreeSet<String> called = new TreeSet<>();
    for (Supplier<Object> receiver : receivers()) {
      for (Method method : receiver.get().getClass().getMethods()) {
        Class<?>[] types = method.getParameterTypes();
        if (method.getDeclaringClass() == Object.class
            || !arguments().keySet().containsAll(Arrays.asList(types))) {
          continue;
        }
        for (int i = 0; i < types.length; i++) {
          if (!types[i].isPrimitive() && !method.getName().equals("equals")) {
            called.add(method.getName());
            filter().save(file());
            byte[] before = Files.readAllBytes(file());
            Throwable thrown = call(method, receiver.get(), i);
            if (thrown == null) {
              accepted.add(method + " argument " + i);
            }
            assertTrue(Arrays.equals(before, Files.readAllBytes(file())), method::toString);
          }
        }
      }
    }
    assertTrue(
        called.containsAll(List.of("update", "merge", "open", "save", "put")), called::toString);
    assertEquals(List.of(), accepted);
  }

  private @Nullable Throwable call(Method method, Object receiver, int isNull) throws Exception {
    Class<?>[] types = method.getParameterTypes();
    @Nullable Object[] values = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      values[i] = i == isNull ? null : arguments().get(types[i]).get();
    }
    try {
      Object result = method.invoke(receiver, values);
      if (result instanceof AutoCloseable open) {
        open.close();
      }
      return null;
    } catch (InvocationTargetException e) {
      return e.getCause();
    }
  }
}
