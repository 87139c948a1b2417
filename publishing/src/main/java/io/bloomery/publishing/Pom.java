package io.bloomery.publishing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
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

  // As listed by https://central.sonatype.org/publish/requirements/, and the issue tracker.
  private static final List<String> REQUIRED =
      List.of(
          "groupId",
          "artifactId",
          "version",
          "name",
          "description",
          "url",
          "licenses/license/name",
          "licenses/license/url",
          "developers/developer/name",
          "scm/connection",
          "scm/developerConnection",
          "scm/url",
          "issueManagement/url");

  /** The property that every tool that reads poms replaces: for the versions of a BOM. */
  private static final String OWN_VERSION = "${project.version}";

  private final Document document;
  private final XPath paths = XPathFactory.newInstance().newXPath();

  private Pom(Document document) {
    this.document = document;
  }

  static Pom read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new Pom(DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in));
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  /** Returns the text at a path below {@code project}, or an empty string if there is none. */
  String text(String path) {
    return evaluate("/project/" + path)
        .map(node -> node.getTextContent().strip())
        .findFirst()
        .orElse("");
  }

  boolean isLibrary() {
    String packaging = text("packaging");
    return packaging.isEmpty() || packaging.equals("jar");
  }

  List<Dependency> dependencies() {
    return dependencies("dependencies/dependency");
  }

  /** Returns the versions that this pom manages for projects that import it. */
  List<Dependency> managed() {
    return dependencies("dependencyManagement/dependencies/dependency");
  }

  private List<Dependency> dependencies(String path) {
    return evaluate("/project/" + path)
        .map(
            node ->
                new Dependency(
                    child(node, "groupId"),
                    child(node, "artifactId"),
                    child(node, "version").replace(OWN_VERSION, text("version")),
                    child(node, "scope"),
                    child(node, "optional").equals("true")))
        .toList();
  }

  /** Returns the problems for which a central repository would reject the pom, one line each. */
  List<String> findings() {
    List<String> findings = new ArrayList<>();
    for (String path : REQUIRED) {
      if (text(path).isEmpty()) {
        findings.add("the pom has no " + path);
      }
    }
    if (!text("parent/artifactId").isEmpty()) {
      findings.add("the pom has a parent, which is not published: " + text("parent/artifactId"));
    }
    if (!text("repositories/repository/url").isEmpty()) {
      findings.add("the pom names a repository: " + text("repositories/repository/url"));
    }
    evaluate("//text()[contains(., '${')]")
        .map(node -> node.getTextContent().strip())
        .filter(text -> !text.equals(OWN_VERSION))
        .forEach(text -> findings.add("the pom has an open property: " + text));
    Stream.concat(dependencies().stream(), managed().stream())
        .forEach(
            dependency -> {
              if (dependency.version().isEmpty()) {
                findings.add("the pom names no version of " + dependency);
              } else if (!isFinal(dependency.version())) {
                findings.add("the pom names a version that is not final: " + dependency);
              }
              if (dependency.scope().equals("test") || dependency.scope().equals("system")) {
                findings.add(
                    "the pom has a dependency for " + dependency.scope() + ": " + dependency);
              }
            });
    return findings;
  }

  /** Returns whether a version is fixed: neither a snapshot nor a range. */
  static boolean isFinal(String version) {
    return version.matches("[A-Za-z0-9][A-Za-z0-9.+_-]*") && !version.endsWith("-SNAPSHOT");
  }

  private Stream<Node> evaluate(String path) {
    try {
      NodeList nodes = (NodeList) paths.evaluate(path, document, XPathConstants.NODESET);
      return IntStream.range(0, nodes.getLength()).mapToObj(nodes::item);
    } catch (XPathExpressionException e) {
      throw new IllegalArgumentException(path, e);
    }
  }

  private static String child(Node node, String name) {
    NodeList children = node.getChildNodes();
    return IntStream.range(0, children.getLength())
        .mapToObj(children::item)
        .filter(child -> child.getNodeName().equals(name))
        .map(child -> child.getTextContent().strip())
        .findFirst()
        .orElse("");
  }
}
