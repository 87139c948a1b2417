import io.bloomery.Bloomery
import io.bloomery.guard.{Guard, GuardSource}
import java.time.Duration
import java.util.Optional
import java.util.concurrent.ConcurrentHashMap
import scala.util.Using

/** A table and a guard in front of it. */
object Users {
  def main(arguments: Array[String]): Unit = {
    val table = new ConcurrentHashMap[String, Integer]()
    table.put("ada", 36)
    val filters = Bloomery.strings().expect(1000000).variant("counting").fpp(0.01)
    val source = GuardSource.of[String, Integer](
      () => table.keySet.stream, (name: String) => Optional.ofNullable(table.get(name)))
    Using.resource(Guard.builder(filters, source).removeDeleted().build()) { users =>
      users.awaitFilter(Duration.ofMinutes(2))
      val before: Integer = users.writeCallable("bob", () => table.put("bob", 41))
      assert(before == null && users.get("bob").get == 41)
      users.writeCallable("eve", () => table.put("eve", 7))
      val had: Boolean = users.delete("bob", () => table.remove("bob") != null)
      assert(had && users.get("bob").isEmpty)
      println(users.getAll(java.util.List.of("ada", "bob", "eve")))
    }
  }
}
