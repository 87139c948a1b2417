package io.bloomery.cli.redis;

/** A command whose first argument may be a URL though it is not called one: a server, or a file. */
public interface TakesUrl {}
