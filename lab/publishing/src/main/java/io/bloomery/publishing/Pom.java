package io.bloomery.publishing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
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
