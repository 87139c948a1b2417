package io.bloomery.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON that is an object or an array of objects; numbers are doubles. */
public final class JsonObjects {

  private JsonObjects() {}

  /** Returns the objects; a member of a member is named {@code outer.inner}. */
  public static List<Map<String, Object>> parse(String text) throws IOException {
    List<Map<String, Object>> objects = new ArrayList<>();
    try (JsonParser json = new JsonFactory().createParser(text)) {
      for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
        if (token == JsonToken.START_OBJECT) {
          Map<String, Object> object = new HashMap<>();
          members(json, "", object);
          objects.add(object);
        }
      }
    }
    return objects;
  }

  private static void members(JsonParser json, String prefix, Map<String, Object> object)
      throws IOException {
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = prefix + json.currentName();
      switch (json.nextToken()) {
        case START_OBJECT -> members(json, name + ".", object);
        case VALUE_STRING -> object.put(name, json.getText());
        case VALUE_TRUE, VALUE_FALSE -> object.put(name, json.getBooleanValue());
        case VALUE_NULL -> object.put(name, null);
        case START_ARRAY -> object.put(name, elements(json));
        default -> object.put(name, json.getDoubleValue());
      }
    }
  }

  private static List<Object> elements(JsonParser json) throws IOException {
    List<Object> elements = new ArrayList<>();
    for (JsonToken token = json.nextToken();
        token != JsonToken.END_ARRAY;
        token = json.nextToken()) {
      if (token == JsonToken.START_OBJECT) {
        Map<String, Object> object = new HashMap<>();
        members(json, "", object);
        elements.add(object);
      } else {
        elements.add(json.getText());
      }
    }
    return elements;
  }

  /** Returns the objects of a member that is an array of them. */
  @SuppressWarnings("unchecked")
  public static List<Map<String, Object>> array(Map<String, Object> object, String name) {
    return (List<Map<String, Object>>) object.get(name);
  }
}
