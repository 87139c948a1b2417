package io.bloomery.cli.sizing;

import io.bloomery.Bloomery;
import io.bloomery.FilterBuilder;
import io.bloomery.cli.option.CountConverter;
import io.bloomery.cli.option.RateConverter;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Json;
import io.bloomery.cli.session.Members;
import io.bloomery.cli.session.NewFile;
import io.bloomery.cli.session.SessionCommand;
import io.bloomery.cli.session.TerminalWidth;
import io.bloomery.file.OpenOptions;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.StoredFilter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Plots the false-positive rate against the number of keys. */
@Command(
    name = "plot",
    description = {
      "Draw how the false-positive rate rises with the number of keys: of the filter in"
          + " FILE, with a mark at its current number of keys, or of filters of all variants for N"
          + " keys at P.",
      "Draws with characters, as wide as the terminal, or saves a picture with -o, as PNG"
          + " or SVG by its file name. Lines mark N and P. Curves are as planned, up to N for"
          + " a filter that is built once; the number of keys in a filter is estimated from its"
          + " bits."
    },
    exitCodeList = {ExitCode.OK_TEXT, ExitCode.USAGE_TEXT, ExitCode.BAD_FILE_TEXT},
    footer = "  bloomery plot --keys 10M --fpp 0.001 -o rates.png")
public final class PlotCommand extends SessionCommand {

  @Option(
      names = "--keys",
      paramLabel = "N",
      converter = CountConverter.class,
      description = "The expected number of keys.")
  private Long keys;

  @Option(
      names = "--fpp",
      paramLabel = "P",
      converter = RateConverter.class,
      description = "The false-positive rate at N keys (default: 0.01).")
  private Double rate;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "PICTURE",
      description = "Where to save a picture, as in rates.png or rates.svg.")
  private Path picture;

  @Option(names = "--force", description = "Replace the picture if it exists.")
  private boolean force;

  @Option(names = "--json", description = "Print a JSON object with all points instead.")
  private boolean json;

  @Parameters(paramLabel = "FILE", arity = "0..1", description = "A filter of any kind.")
  private Path file;

  @Override
  public Integer call() throws Failure, IOException {
    check();
    RateCurves curves = curves(session().bloomery());
    if (picture != null) {
      NewFile.write(picture, force, draw(curves, PictureFormat.of(picture)));
      session().say("%s: drawn", picture);
    }
    if (json) {
      Json.print(session(), members(curves));
    } else if (picture == null) {
      session().print(RateText.of(curves, TerminalWidth.of(session())));
    }
    return ExitCode.OK;
  }

  private void check() throws Failure, IOException {
    if (file == null && keys == null) {
      throw Failure.usage("what of? Name a filter, or a number of keys, as in --keys 10M");
    }
    if (file != null && (keys != null || rate != null)) {
      throw Failure.usage("a filter knows its keys and rate; leave out --keys and --fpp, or FILE");
    }
    if (picture != null) {
      PictureFormat.of(picture);
      NewFile.check(picture, force, "choose another name");
      NewFile.checkNotRead(picture, file == null ? List.of() : List.of(file));
    }
  }

  private RateCurves curves(Bloomery bloomery) throws Failure {
    if (file != null) {
      try {
        StoredFilter filter = bloomery.files().openView(file, OpenOptions.confined());
        if (filter.spec().isIntersection()) {
          throw Failure.usage(
              file
                  + " is an intersection of filters, whose number of keys cannot be told; plot those"
                  + " that it was made of");
        }
        return RateCurves.ofFilter(bloomery, file.toString(), filter);
      } catch (IOException e) {
        throw Failure.reading(file, e);
      }
    }
    return Failure.usageIfRefused(
        () ->
            RateCurves.ofVariants(
                bloomery, FilterSpec.of(keys, rate == null ? FilterBuilder.DEFAULT_FPP : rate)));
  }

  private static byte[] draw(RateCurves curves, PictureFormat format) throws Failure, IOException {
    try {
      return RatePicture.bytes(curves, format);
    } catch (LinkageError | InternalError e) {
      throw Failure.usage(
          "this Java cannot draw: " + e + "; leave out -o for a drawing with letters");
    }
  }

  private Members members(RateCurves curves) {
    Members members = new Members();
    if (file != null) {
      members.with("file", file.toString());
    }
    members.with("expectedKeys", curves.expected()).with("targetRate", curves.targetRate());
    if (curves.now() != null) {
      members
          .with("estimatedKeys", curves.now().isKnown() ? Math.round(curves.now().keys()) : null)
          .with("estimatedRate", curves.now().rate());
    }
    List<Members> drawn = new ArrayList<>();
    curves.curves().forEach((variant, curve) -> drawn.add(members(variant, curve)));
    return members.with("keys", curves.keys()).with("curves", drawn);
  }

  private static Members members(String variant, RateCurves.Curve curve) {
    return new Members()
        .with("variant", variant)
        .with("structure", curve.description().structure())
        .with("queryCost", curve.description().queryCost())
        .with("rates", curve.rates());
  }
}
