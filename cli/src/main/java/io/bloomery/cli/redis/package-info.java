/** Filters on a Redis server, addressed by a URL, and the commands that push and pull them. */
@NullMarked
package io.bloomery.cli.redis;

import org.jspecify.annotations.NullMarked;
