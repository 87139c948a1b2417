package io.bloomery.publishing;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.annotation.Annotation;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedWildcardType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.TypeVariable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The text that lists what a module offers to everybody: its descriptor, or the name that it has
 * without one, the public types of the packages that it exports unqualified, and their public and
 * protected members, sorted. It reads compiled classes, so that it holds for any module, and
 * differs when what others compile or run against does: modifiers, generics, exceptions, constants
 * and nullness.
 */
final class ApiListing {

  private static final Comparator<String> BY_NAME =
      Comparator.comparing(
              (String line) -> line.replaceFirst("\\(.*| = .*", "").replaceFirst(".* ", ""))
          .thenComparing(Comparator.naturalOrder());

  private final ModuleDescriptor module;
  private final Set<String> packages;
  private final List<Class<?>> types;

  private ApiListing(ModuleDescriptor module, Set<String> packages, List<Class<?>> types) {
    this.module = module;
    this.packages = packages;
    this.types = types;
  }

  /**
   * Lists a module.
   *
   * @param classes the folder of its classes
   * @param automaticName its name, if it has no {@code module-info.class}
   * @param loader where the same classes are loaded from, and whatever they name
   */
  static ApiListing of(Path classes, String automaticName, ClassLoader loader) throws IOException {
    ModuleDescriptor module = descriptor(classes, automaticName);
    Set<String> packages =
        new TreeSet<>(
            module.isAutomatic()
                ? module.packages().stream().filter(ApiListing::isForUsers).toList()
                : module.exports().stream()
                    .filter(Predicate.not(ModuleDescriptor.Exports::isQualified))
                    .map(ModuleDescriptor.Exports::source)
                    .toList());
    List<Class<?>> types = new ArrayList<>();
    for (String name : packages) {
      try (Stream<Path> files = Files.list(classes.resolve(name.replace('.', '/')))) {
        files
            .map(file -> file.getFileName().toString())
            .filter(file -> file.endsWith(".class") && !file.equals("package-info.class"))
            .map(file -> name + "." + file.substring(0, file.length() - ".class".length()))
            .map(type -> load(type, loader))
            .filter(ApiListing::isOffered)
            .forEach(types::add);
      }
    }
    types.sort(Comparator.comparing(Class::getName));
    return new ApiListing(module, packages, types);
  }

  /** Returns whether a package of an automatic module, which exports all, is meant to be used. */
  private static boolean isForUsers(String name) {
    return !List.of(name.split("\\.", -1)).contains("internal");
  }

  private static ModuleDescriptor descriptor(Path classes, String automaticName)
      throws IOException {
    Path compiled = classes.resolve("module-info.class");
    if (Files.exists(compiled)) {
      try (InputStream in = Files.newInputStream(compiled)) {
        return ModuleDescriptor.read(in);
      }
    }
    try (Stream<Path> files = Files.walk(classes)) {
      Set<String> packages =
          files
              .filter(file -> file.toString().endsWith(".class"))
              .map(file -> classes.relativize(file.getParent()).toString())
              .map(folder -> folder.replace(File.separatorChar, '.'))
              .collect(Collectors.toSet());
      return ModuleDescriptor.newAutomaticModule(automaticName).packages(packages).build();
    }
  }

  private static Class<?> load(String name, ClassLoader loader) {
    try {
      return Class.forName(name, false, loader);
    } catch (ClassNotFoundException e) {
      throw new UncheckedIOException(new IOException(name, e));
    }
  }

  /** Returns all lines; those of members are indented. */
  List<String> lines() {
    List<String> lines = new ArrayList<>(moduleLines());
    for (String name : packages) {
      types.stream()
          .filter(type -> type.getPackageName().equals(name))
          .findFirst()
          .ifPresent(type -> lines.add(annotations(type.getPackage()) + "package " + name));
    }
    types.forEach(type -> lines.addAll(lines(type)));
    return lines;
  }

  private List<String> moduleLines() {
    List<String> lines = new ArrayList<>();
    lines.add((module.isAutomatic() ? "automatic module " : "module ") + module.name());
    module.requires().stream()
        .filter(other -> !other.modifiers().contains(ModuleDescriptor.Requires.Modifier.MANDATED))
        // Not compared by toString: it has the version that was compiled against.
        .map(other -> "requires " + words(other.modifiers()) + other.name())
        .forEach(lines::add);
    module.exports().forEach(exported -> lines.add(line(exported)));
    module.uses().forEach(service -> lines.add("uses " + service));
    module
        .provides()
        .forEach(
            provided ->
                lines.add(
                    "provides " + provided.service() + " with " + joined(provided.providers())));
    return indented(lines, Comparator.naturalOrder());
  }

  private static String line(ModuleDescriptor.Exports exported) {
    return "exports "
        + exported.source()
        + (exported.isQualified() ? " to " + joined(new TreeSet<>(exported.targets())) : "");
  }

  /** Returns the declaration of a type, and indented those of its members that others can use. */
  static List<String> lines(Class<?> type) {
    List<String> lines = new ArrayList<>();
    lines.add(declaration(type));
    for (Class<?> part : partsOf(type)) {
      Stream.of(part.getDeclaredFields())
          .filter(field -> isOffered(type, field.getModifiers(), field.isSynthetic()))
          .map(ApiListing::line)
          .forEach(lines::add);
      Stream.of(part.getDeclaredMethods())
          .filter(method -> isOffered(type, method.getModifiers(), method.isSynthetic()))
          .map(ApiListing::line)
          .forEach(lines::add);
    }
    Stream.of(type.getDeclaredConstructors())
        .filter(made -> isOffered(type, made.getModifiers(), made.isSynthetic()))
        .map(ApiListing::line)
        .forEach(lines::add);
    return indented(lines.stream().distinct().toList(), BY_NAME);
  }

  /** Returns a type and those above it that nobody else can name: their members seem its own. */
  private static List<Class<?>> partsOf(Class<?> type) {
    List<Class<?>> parts = new ArrayList<>(List.of(type));
    for (int i = 0; i < parts.size(); i++) {
      Stream.concat(
              Stream.ofNullable(parts.get(i).getSuperclass()),
              Stream.of(parts.get(i).getInterfaces()))
          .filter(above -> !Modifier.isPublic(above.getModifiers()) && !parts.contains(above))
          .forEach(parts::add);
    }
    return parts;
  }

  private static List<String> indented(List<String> lines, Comparator<String> order) {
    return Stream.concat(
            Stream.of(lines.get(0)), lines.stream().skip(1).sorted(order).map(line -> "  " + line))
        .toList();
  }

  private static boolean isOffered(Class<?> type) {
    for (Class<?> at = type; at != null; at = at.getEnclosingClass()) {
      boolean inherited =
          Modifier.isProtected(at.getModifiers())
              && !Modifier.isFinal(at.getEnclosingClass().getModifiers());
      if (!Modifier.isPublic(at.getModifiers()) && !inherited) {
        return false;
      }
    }
    return !type.isSynthetic() && !type.isAnonymousClass() && !type.isLocalClass();
  }

  private static boolean isOffered(Class<?> owner, int modifiers, boolean synthetic) {
    return !synthetic
        && (Modifier.isPublic(modifiers)
            || (Modifier.isProtected(modifiers) && !Modifier.isFinal(owner.getModifiers())));
  }

  private static String declaration(Class<?> type) {
    StringBuilder line = new StringBuilder(annotations(type));
    line.append(modifiers(type.getModifiers() & Modifier.classModifiers() & ~unsaid(type)));
    line.append(isSealed(type) ? "sealed " : "");
    line.append(kind(type)).append(type.getName()).append(typeParameters(type.getTypeParameters()));
    if (type.getSuperclass() != null && type.getSuperclass() != Object.class) {
      line.append(" extends ").append(text(type.getAnnotatedSuperclass()));
    }
    if (type.getInterfaces().length > 0) {
      line.append(type.isInterface() ? " extends " : " implements ");
      line.append(texts(type.getAnnotatedInterfaces()));
    }
    if (isSealed(type)) {
      line.append(" permits ");
      line.append(joined(Stream.of(type.getPermittedSubclasses()).map(Class::getName).toList()));
    }
    return line.toString();
  }

  private static int unsaid(Class<?> type) {
    if (type.isEnum()) {
      return Modifier.ABSTRACT | Modifier.STATIC | Modifier.FINAL;
    }
    return type.isInterface() ? Modifier.ABSTRACT | Modifier.STATIC : 0;
  }

  /** An enum is if constants of it have methods of their own, which is nobody else's concern. */
  private static boolean isSealed(Class<?> type) {
    return type.isSealed() && !type.isEnum();
  }

  private static String kind(Class<?> type) {
    if (type.isAnnotation()) {
      return "@interface ";
    }
    if (type.isInterface()) {
      return "interface ";
    }
    return type.isEnum() ? "enum " : type.isRecord() ? "record " : "class ";
  }

  private static String line(Field field) {
    int said = Modifier.PUBLIC | Modifier.PROTECTED | Modifier.STATIC | Modifier.FINAL;
    return annotations(field)
        + modifiers(field.getModifiers() & said)
        + text(field.getAnnotatedType())
        + " "
        + field.getName()
        + constant(field);
  }

  /** Returns the value that other code may have compiled into itself. */
  private static String constant(Field field) {
    boolean fixed =
        Modifier.isStatic(field.getModifiers()) && Modifier.isFinal(field.getModifiers());
    if (!fixed || !(field.getType().isPrimitive() || field.getType() == String.class)) {
      return "";
    }
    try {
      field.setAccessible(true);
      Object value = field.get(null);
      return " = " + (value instanceof String ? '"' + value.toString() + '"' : value);
    } catch (IllegalAccessException e) {
      throw new AssertionError(field.toString(), e);
    }
  }

  private static String line(Method method) {
    int said =
        Modifier.PUBLIC | Modifier.PROTECTED | Modifier.STATIC | Modifier.FINAL | Modifier.ABSTRACT;
    return annotations(method)
        + modifiers(method.getModifiers() & said)
        + (method.isDefault() ? "default " : "")
        + spaced(typeParameters(method.getTypeParameters()))
        + text(method.getAnnotatedReturnType())
        + " "
        + method.getName()
        + signature(method);
  }

  private static String line(Constructor<?> constructor) {
    return annotations(constructor)
        + modifiers(constructor.getModifiers())
        + spaced(typeParameters(constructor.getTypeParameters()))
        + constructor.getDeclaringClass().getSimpleName()
        + signature(constructor);
  }

  private static String signature(Executable executable) {
    String parameters = texts(executable.getAnnotatedParameterTypes());
    if (executable.isVarArgs()) {
      parameters = parameters.replaceFirst("\\[]$", "...");
    }
    AnnotatedType[] thrown = executable.getAnnotatedExceptionTypes();
    return "(" + parameters + ")" + (thrown.length == 0 ? "" : " throws " + texts(thrown));
  }

  private static String typeParameters(TypeVariable<?>[] variables) {
    if (variables.length == 0) {
      return "";
    }
    return Stream.of(variables)
        .map(variable -> variable.getName() + bounds(" extends ", variable.getAnnotatedBounds()))
        .collect(Collectors.joining(", ", "<", ">"));
  }

  /** Returns bounds, or nothing if they are what they would be if not said. */
  private static String bounds(String word, AnnotatedType[] bounds) {
    String said = Stream.of(bounds).map(ApiListing::text).collect(Collectors.joining(" & "));
    return said.isEmpty() || said.equals("Object") ? "" : word + said;
  }

  private static String texts(AnnotatedType[] types) {
    return joined(Stream.of(types).map(ApiListing::text).toList());
  }

  // What these types print of themselves depends on the version of Java.
  private static String text(AnnotatedType type) {
    if (type instanceof AnnotatedArrayType) {
      StringBuilder dimensions = new StringBuilder();
      AnnotatedType at = type;
      while (at instanceof AnnotatedArrayType array) {
        String said = annotations(at);
        dimensions.append(said.isEmpty() ? "[]" : " " + said + "[]");
        at = array.getAnnotatedGenericComponentType();
      }
      return text(at) + dimensions;
    }
    if (type instanceof AnnotatedWildcardType wildcard) {
      String lower = bounds(" super ", wildcard.getAnnotatedLowerBounds());
      String upper = bounds(" extends ", wildcard.getAnnotatedUpperBounds());
      return annotations(type) + "?" + (lower.isEmpty() ? upper : lower);
    }
    if (type instanceof AnnotatedParameterizedType generic) {
      return annotations(type)
          + name(((ParameterizedType) type.getType()).getRawType().getTypeName())
          + "<"
          + texts(generic.getAnnotatedActualTypeArguments())
          + ">";
    }
    return annotations(type) + name(type.getType().getTypeName());
  }

  private static String name(String typeName) {
    return typeName.matches("java\\.lang\\.\\w+")
        ? typeName.substring("java.lang.".length())
        : typeName;
  }

  private static String annotations(AnnotatedElement element) {
    return Arrays.stream(element.getAnnotations())
        .map(Annotation::annotationType)
        .map(annotation -> "@" + annotation.getSimpleName() + " ")
        .sorted()
        .collect(Collectors.joining());
  }

  private static String modifiers(int modifiers) {
    return spaced(Modifier.toString(modifiers));
  }

  private static String spaced(String text) {
    return text.isEmpty() ? "" : text + " ";
  }

  private static String words(Collection<? extends Enum<?>> modifiers) {
    return modifiers.stream()
        .map(modifier -> modifier.name().toLowerCase(Locale.ROOT) + " ")
        .sorted()
        .collect(Collectors.joining());
  }

  private static String joined(Collection<String> texts) {
    return String.join(", ", texts);
  }
}
