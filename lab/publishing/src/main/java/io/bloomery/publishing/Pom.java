package io.bloomery.publishing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import javax.xml.xpath.XPathNodes;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/** A pom as published: without anything that its users would have to look up elsewhere. */
final class Pom {

  /** A dependency of a project, or a managed version. */
  record Dependency(String group, String name, String version, String scope, boolean optional) {

    /** Returns whether users of the project get this dependency transitively. */
    boolean isGiven() {
      return !optional && (scope.isEmpty() || scope.equals("compile") || scope.equals("runtime"));
    }

    @Override
    public String toString() {
      return group + ":" + name + ":" + version;
    }
  }

  /** The property that every tool that reads poms replaces: for the versions of a BOM. */
  private static final String OWN_VERSION = "${project.version}";

  private final Node project;
  private final XPath paths = XPathFactory.newInstance().newXPath();

  private Pom(Node project) {
    this.project = project;
  }

  static Pom read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new Pom(
          DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in).getDocumentElement());
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  /** Returns the text at a path below {@code project}, or an empty string if there is none. */
  String text(String path) {
    return at(path, project, String.class).strip();
  }

  List<Dependency> dependencies() {
    return dependencies("dependencies/dependency");
  }

  /** Returns the versions that this pom manages for projects that import it. */
  List<Dependency> managed() {
    return dependencies("dependencyManagement/dependencies/dependency");
  }

  private List<Dependency> dependencies(String path) {
    List<Dependency> dependencies = new ArrayList<>();
    for (Node node : at(path, project, XPathNodes.class)) {
      dependencies.add(
          new Dependency(
              at("groupId", node, String.class),
              at("artifactId", node, String.class),
              at("version", node, String.class).replace(OWN_VERSION, text("version")),
              at("scope", node, String.class),
              at("optional", node, String.class).equals("true")));
    }
    return dependencies;
  }

  private <T> T at(String path, Node node, Class<T> type) {
    try {
      return paths.evaluateExpression(path, node, type);
    } catch (XPathExpressionException e) {
      throw new IllegalArgumentException(path, e);
    }
  }
}
