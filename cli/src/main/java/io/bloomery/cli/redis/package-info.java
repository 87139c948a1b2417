/**
 * Filters on a Redis server as the command reaches them by a URL, and the commands that put them
 * there and fetch them.
 */
@NullMarked
package io.bloomery.cli.redis;

import org.jspecify.annotations.NullMarked;
