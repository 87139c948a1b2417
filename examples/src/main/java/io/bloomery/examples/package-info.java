/**
 * Programs to learn from. Start with {@link io.bloomery.examples.QuickStart}.
 *
 * <p>Once {@code ./bloomery} has run, each with a {@code main} is run from its source:
 *
 * <pre>{@code
 * java -cp cli/target/bloomery.jar examples/src/main/java/io/bloomery/examples/CacheGuard.java
 * }</pre>
 */
package io.bloomery.examples;
