package io.bloomery.cli.redis;

import com.fasterxml.jackson.core.JsonGenerator;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Json;
import io.bloomery.cli.session.Session;
import io.bloomery.cli.session.VisibleText;
import io.bloomery.file.FilterHeader;
import io.bloomery.filter.FilterSpec;
import io.bloomery.redis.RedisFilterInfo;
import io.bloomery.redis.RedisFilterInfo.State;
import io.bloomery.redis.RedisFilters;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Describes what is on a server under the name of a filter. */
@Command(
    name = "info",
    description = {
      "Show whether the filter that URL names answers, if not why and what to do, and its"
          + " memory on the server.",
      "For its bits, fetch it with 'bloomery pull' and show them with 'bloomery info'."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the filter answers", ExitCode.USAGE_TEXT, RedisCommand.UNAVAILABLE_TEXT},
    footerHeading = "%nExample:%n",
    footer = "  bloomery redis info 'redis://localhost:6379/0?filter=seen'")
final class RemoteInfoCommand implements Callable<Integer> {

  private final Session session;

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  @Parameters(index = "0", paramLabel = "URL", description = "The filter, as for push.")
  private String url;

  RemoteInfoCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws Failure, IOException {
    RemoteFilter remote = RemoteFilter.of(url);
    Optional<RedisFilterInfo> found = remote.connected(RedisFilters::info);
    if (found.isEmpty()) {
      throw Failure.file(remote.url(), "there is nothing of that name; see 'bloomery redis list'");
    }
    RedisFilterInfo info = found.get();
    if (json) {
      Json.print(session, out -> write(out, remote, info));
    } else {
      session.print(describe(remote, info));
    }
    if (info.state() != State.SERVING) {
      throw Failure.file(remote.url(), info.problem());
    }
    return ExitCode.OK;
  }

  private static String describe(RemoteFilter remote, RedisFilterInfo info) {
    StringBuilder text = new StringBuilder(VisibleText.line(remote.url()) + "\n");
    row(text, "state", "%s", info.state().name().toLowerCase(Locale.ROOT));
    info.header()
        .ifPresent(
            header -> {
              FilterSpec spec = header.spec();
              row(text, "variant", "%s", header.variant());
              row(text, "hash", "%s", spec.hashId());
              row(text, "key form", "%s", spec.keyForm());
              row(text, "expected keys", "%,d", spec.expectedKeys());
              row(text, "target rate", "%s", spec.falsePositiveRate());
              row(text, "chunks", "%,d", info.chunks());
            });
    if (info.generation() > 0) {
      row(
          text,
          "generation",
          "%,d%s",
          info.generation(),
          info.rebuilding() ? ", and the next is being filled, or that was broken off" : "");
    }
    row(text, "size", "%,d bytes in %,d Redis keys", info.bytes(), info.keys());
    return text.toString();
  }

  private static void row(StringBuilder text, String name, String format, Object... values) {
    text.append(VisibleText.row(name, String.format(Locale.ROOT, format, values)));
  }

  private static void write(JsonGenerator out, RemoteFilter remote, RedisFilterInfo info)
      throws IOException {
    out.writeStartObject();
    out.writeStringField("url", remote.url());
    out.writeStringField("state", info.state().name().toLowerCase(Locale.ROOT));
    out.writeStringField("problem", info.problem());
    if (info.header().isPresent()) {
      FilterHeader header = info.header().get();
      out.writeStringField("variant", header.variant());
      out.writeStringField("hashId", header.spec().hashId());
      out.writeStringField("keyForm", header.spec().keyForm());
      out.writeNumberField("expectedKeys", header.spec().expectedKeys());
      out.writeNumberField("targetRate", header.spec().falsePositiveRate());
      out.writeNumberField("payloadSize", header.payloadSize());
    }
    out.writeNumberField("chunks", info.chunks());
    out.writeNumberField("generation", info.generation());
    out.writeBooleanField("rebuilding", info.rebuilding());
    out.writeNumberField("redisKeys", info.keys());
    out.writeNumberField("sizeInBytes", info.bytes());
    out.writeEndObject();
  }
}
