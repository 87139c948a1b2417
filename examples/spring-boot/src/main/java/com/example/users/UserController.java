package com.example.users;

import io.bloomery.guard.Guard;
import java.util.Collection;
import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Users over HTTP: reads by the guard, and writes through it. */
@RestController
@RequestMapping("/users")
public class UserController {

  private final Guard<String, User> usersGuard;
  private final UserTable table;

  /** Made by Spring. */
  public UserController(Guard<String, User> usersGuard, UserTable table) {
    this.usersGuard = usersGuard;
    this.table = table;
  }

  @GetMapping("/{id}")
  ResponseEntity<User> find(@PathVariable("id") String id) {
    return ResponseEntity.of(usersGuard.get(id));
  }

  @GetMapping
  Collection<User> findAll(@RequestParam("id") List<String> ids) {
    return usersGuard.getAll(ids).values();
  }

  @PutMapping("/{id}")
  void save(@PathVariable("id") String id, @RequestBody String name) {
    usersGuard.write(id, () -> table.save(new User(id, name)));
  }

  @DeleteMapping("/{id}")
  ResponseEntity<Void> delete(@PathVariable("id") String id) {
    boolean had = usersGuard.delete(id, () -> table.delete(id));
    return had ? ResponseEntity.noContent().build() : ResponseEntity.notFound().build();
  }
}
