/**
 * Guards configured by properties: {@code bloomery.guards.NAME.*}, described by {@link
 * io.bloomery.spring.GuardProperties}.
 */
@NullMarked
package io.bloomery.spring;

import org.jspecify.annotations.NullMarked;
