package io.bloomery.site.link;

/** Thrown if a Markdown file has a link without a target. */
public final class BrokenLinkException extends Exception {

  private static final long serialVersionUID = 1;

  BrokenLinkException(String source, String target, String reason) {
    super(
        "the links of %s must lead somewhere, but '%s' does not: %s; mend it there"
            .formatted(source, target, reason));
  }
}
