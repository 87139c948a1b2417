package io.bloomery.cli.input;

import io.bloomery.cli.key.KeyHashes;
import io.bloomery.cli.key.KeySyntax;
import io.bloomery.cli.key.SecretFile;
import io.bloomery.cli.session.Failure;
import io.bloomery.filter.FilterSpec;
import io.bloomery.hash.KeyForm;
import java.util.Map;
import java.util.Optional;

/**
 * How the keys of a saved filter were read, as recorded in its hash id and attributes. The hash and
 * the form define a key and apply to every command; the container is only a default.
 */
public final class Recipe {

  private final String file;
  private final String hashId;
  private final Map<String, String> attributes;

  /**
   * Creates the recipe of a filter.
   *
   * @param file the name of the filter in messages
   */
  public Recipe(String file, FilterSpec spec) {
    this.file = file;
    this.hashId = spec.hashId();
    this.attributes = spec.attributes();
  }

  /**
   * Returns the format in which to read keys for the filter.
   *
   * @param secret the given secret, if any
   * @throws Failure if the options or the secret contradict the filter, or it was made in an
   *     unknown way
   */
  public InputFormat with(InputOptions options, Optional<SecretFile> secret) throws Failure {
    checkSecret(secret);
    KeyHashes hashes = secret.map(SecretFile::hashes).orElse(KeyHashes.WITHOUT_SECRET);
    boolean integers = hashId.equals(hashes.integers().id());
    int fields = integers ? 1 : fields(hashes);
    KeySyntax recorded = syntax(integers);
    KeySyntax syntax = fields == 1 ? upperCase(recorded, options.syntax()) : recorded;
    checkSyntax(syntax, options.syntax());
    Optional<Container> given = options.container();
    Container container = given.isPresent() ? given.get() : container();
    checkFields(fields, container);
    return new InputFormat(
        container,
        syntax,
        fields == 1 ? hashes.of(syntax) : hashes.ofFields(fields),
        options.maxLine(),
        given.isPresent(),
        options.skips(),
        origin(syntax, given.isPresent() ? null : container));
  }

  private void checkSecret(Optional<SecretFile> given) throws Failure {
    if (given.isPresent()) {
      given.get().check(file, hashId);
    } else if (SecretFile.isNamedIn(hashId)) {
      throw Failure.usage(
          file + " was made with a secret; name the file that holds it, as in --secret-file FILE");
    }
  }

  /** Returns the number of fields of a key that is text, or is made of texts. */
  private int fields(KeyHashes hashes) throws Failure {
    if (hashId.equals(hashes.text().id())) {
      return 1;
    }
    for (int fields = 2; fields <= InputOptions.MAX_FIELDS; fields++) {
      if (hashId.equals(hashes.ofFields(fields).id())) {
        return fields;
      }
    }
    throw otherHash(hashes);
  }

  private void checkFields(int fields, Container container) throws Failure {
    if (container.fields() != fields) {
      throw Failure.usage(
          "%s holds keys of %s%s, but the columns are %s; give as many, as in --csv id%s",
          file,
          fields,
          (fields == 1 ? " field" : " fields"),
          container.fields(),
          (fields == 1 ? "" : " --and-column email"));
    }
  }

  private Failure otherHash(KeyHashes hashes) {
    return Failure.file(
        file,
        "must hold lines or integers, hashed as "
            + hashes.text().id()
            + " or "
            + hashes.integers().id()
            + ", but holds keys hashed as "
            + hashId
            + "; use it from a program that has such keys");
  }

  private KeySyntax syntax(boolean integers) throws Failure {
    String recorded = attributes.getOrDefault(KeyForm.ATTRIBUTE, KeyForm.PLAIN.toString());
    boolean isKnown = KeyForm.isKnown(recorded);
    if (isKnown && !integers) {
      return KeySyntax.of(KeyForm.parse(recorded));
    }
    if (isKnown && KeyForm.parse(recorded) == KeyForm.PLAIN) {
      return KeySyntax.INTEGER;
    }
    throw Failure.file(
        file,
        "records that its keys were written as '"
            + recorded
            + "', which this version does not know; use the version that made it, or create it"
            + " again");
  }

  /**
   * Returns the syntax for keys in upper case, if the options ask for it and the filter records no
   * letters: its keys are what they are, and those that are read become like them.
   */
  private static KeySyntax upperCase(KeySyntax held, KeySyntax given) {
    boolean isAsked = given.form().includes(KeyForm.UPPER_CASE) && !held.isInteger();
    if (isAsked && held.isPlain()) {
      return KeySyntax.of(KeyForm.UPPER_CASE);
    }
    return isAsked && held.form() == KeyForm.TRIM
        ? KeySyntax.of(KeyForm.UPPER_CASE.trimmed())
        : held;
  }

  private void checkSyntax(KeySyntax held, KeySyntax given) throws Failure {
    if (!held.includes(given)) {
      throw Failure.usage(
          "%s holds keys written as '%s', but the options say '%s'; leave them out, as what"
              + " the filter records is applied by itself, or create a filter with them",
          file, held, given);
    }
  }

  private Container container() throws Failure {
    String recorded = attributes.get(InputFormat.CONTAINER);
    if (recorded == null) {
      return Container.LINES;
    }
    return ContainerText.parse(recorded)
        .orElseThrow(
            () ->
                Failure.file(
                    file,
                    "records that its keys were in '"
                        + recorded
                        + "', which this version does not know; say where they are now, as in"
                        + " --lines or --csv 1"));
  }

  /**
   * Returns a suffix for errors that contains what no option specifies: the form, and the container
   * unless it is null.
   */
  private String origin(KeySyntax syntax, Container container) {
    boolean isTable = container != null && !container.isLines();
    if (syntax.isPlain() && !isTable) {
      return "";
    }
    return "; "
        + file
        + " records that its keys are "
        + (isTable ? "in " + container + ", unless --lines or the like says otherwise" : "")
        + (isTable && !syntax.isPlain() ? ", and " : "")
        + (syntax.isPlain() ? "" : "written as " + syntax);
  }
}
