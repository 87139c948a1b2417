/** Programs to learn from. Start with {@link io.bloomery.examples.QuickStart}. */
package io.bloomery.examples;
