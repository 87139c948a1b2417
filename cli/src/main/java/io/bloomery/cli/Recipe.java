package io.bloomery.cli;

import io.bloomery.filter.FilterSpec;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * How the keys of a saved filter were read, as its hash id and attributes say. The hash and the
 * form are what makes a key that key, and hold for every command; where keys were is only the
 * default.
 */
final class Recipe {

  private static final String SECRET = "/secret=";

  private final Path file;
  private final String hashId;
  private final Map<String, String> attributes;

  Recipe(Path file, FilterSpec spec) {
    this.file = file;
    this.hashId = spec.hashId();
    this.attributes = spec.attributes();
  }

  /**
   * Returns how to read keys for the filter.
   *
   * @param secret the hash functions of the secret that was given, if one was
   * @throws Failure if options or secret contradict the filter, or it was made in a way that is not
   *     known here
   */
  InputFormat with(InputOptions options, Optional<KeyHashes> secret) throws Failure {
    checkSecret(secret.isPresent());
    KeyHashes hashes = secret.orElse(KeyHashes.WITHOUT_SECRET);
    boolean integers = hashId.equals(hashes.integers().id());
    if (!integers && !hashId.equals(hashes.text().id())) {
      throw otherHash(hashes);
    }
    KeyForm form = form(integers);
    checkForm(form, options.form());
    Optional<Container> given = options.container();
    Container container = given.isPresent() ? given.get() : container();
    return new InputFormat(
        container,
        form,
        hashes.of(form),
        options.maxLine(),
        origin(form, given.isPresent() ? null : container));
  }

  private void checkSecret(boolean isGiven) throws Failure {
    boolean isNeeded = hashId.contains(SECRET);
    if (isNeeded && !isGiven) {
      throw Failure.usage(
          file + " was made with a secret; name the file that holds it, as in --secret-file FILE");
    }
    if (isGiven && !isNeeded) {
      throw Failure.usage(file + " was made without a secret; leave out --secret-file");
    }
  }

  private Failure otherHash(KeyHashes hashes) {
    String held = withoutSecret(hashId);
    if (held.equals(withoutSecret(hashes.text().id()))
        || held.equals(withoutSecret(hashes.integers().id()))) {
      return Failure.usage(
          file + " was made with another secret; name the file that holds it by --secret-file");
    }
    return Failure.file(
        file.toString(),
        "must hold lines or integers, hashed as "
            + hashes.text().id()
            + " or "
            + hashes.integers().id()
            + ", but holds keys hashed as "
            + hashId
            + "; use it from a program that has such keys");
  }

  /** Returns a hash id up to the fingerprint of its secret, or all of it if it has none. */
  private static String withoutSecret(String id) {
    int secret = id.indexOf(SECRET);
    return secret < 0 ? id : id.substring(0, secret + SECRET.length());
  }

  private KeyForm form(boolean integers) throws Failure {
    String recorded = attributes.get(InputFormat.KEY_FORM);
    if (recorded == null) {
      return integers ? KeyForm.INTEGER : KeyForm.PLAIN;
    }
    Optional<KeyForm> known = integers ? Optional.empty() : KeyForm.recorded(recorded);
    return known.orElseThrow(
        () ->
            Failure.file(
                file.toString(),
                "records that its keys were written as '"
                    + recorded
                    + "', which this version does not know; use the version that made it, or create it again"));
  }

  private void checkForm(KeyForm held, KeyForm given) throws Failure {
    if (!held.includes(given)) {
      throw Failure.usage(
          file
              + " holds keys written as '"
              + held
              + "', but the options say '"
              + given
              + "'; leave them out, as what the filter records is applied by itself, or create a"
              + " filter with them");
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
                    file.toString(),
                    "records that its keys were in '"
                        + recorded
                        + "', which this version does not know; say where they are now, as in --lines or --csv 1"));
  }

  /** Says what was not said by an option: the form, and the container if it is not null. */
  private String origin(KeyForm form, Container container) {
    boolean isTable = container != null && !container.isLines();
    if (form.isPlain() && !isTable) {
      return "";
    }
    return "; "
        + file
        + " records that its keys are "
        + (isTable ? "in " + container + ", unless --lines or the like says otherwise" : "")
        + (isTable && !form.isPlain() ? ", and " : "")
        + (form.isPlain() ? "" : "written as " + form);
  }
}
