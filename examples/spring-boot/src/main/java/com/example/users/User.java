package com.example.users;

/**
 * A user.
 *
 * @param id what others know the user by
 * @param name what the user is called
 */
public record User(String id, String name) {}
