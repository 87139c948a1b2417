package io.bloomery.cli.session;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of this build, and of the Java it runs on. */
final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() throws IOException {
    Properties build = new Properties();
    try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
      build.load(in);
    }
    return new String[] {
      "bloomery " + build.getProperty("version") + " on Java " + Runtime.version().feature()
    };
  }
}
