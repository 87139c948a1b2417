/**
 * Guards from properties: {@code bloomery.guards.NAME.*}, as {@link
 * io.bloomery.spring.GuardProperties} has them.
 */
@NullMarked
package io.bloomery.spring;

import org.jspecify.annotations.NullMarked;
