import io.bloomery.Bloomery
import io.bloomery.guard.Guard
import io.bloomery.guard.GuardSource
import java.time.Duration
import java.util.Optional
import java.util.concurrent.ConcurrentHashMap

/** A table and a guard in front of it. */
fun main() {
  val table = ConcurrentHashMap(mapOf("ada" to 36))
  val filters = Bloomery.strings().expect(1_000_000).variant("counting").fpp(0.01)
  val source = GuardSource.of({ table.keys.stream() }, { name -> Optional.ofNullable(table[name]) })
  Guard.builder(filters, source).removeDeleted().build().use { users ->
    users.awaitFilter(Duration.ofMinutes(2))
    val before: Int? = users.writeCallable("bob") { table.put("bob", 41) }
    check(before == null && users.get("bob").get() == 41)
    users.writeCallable("eve") { table["eve"] = 7 }
    val had: Boolean = users.deleteCallable("bob") { table.remove("bob") != null }
    check(had && users.get("bob").isEmpty)
    println(users.getAll(listOf("ada", "bob", "eve")))
  }
}
