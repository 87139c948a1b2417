package io.bloomery.site.sizing;

import io.bloomery.site.resource.Resources;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.NativeObject;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/**
 * The scripts of the sizing page, run in the JVM by Rhino as a browser runs them. Where they say
 * let for what never changes, it is for Rhino 1.9, which leaves a const in a loop what it was
 * first.
 */
final class SizingScripts implements AutoCloseable {

  private final Context context;
  private final ScriptableObject scope;

  SizingScripts() throws IOException {
    context = Context.enter();
    context.setLanguageVersion(Context.VERSION_ES6);
    scope = context.initStandardObjects();
    context.evaluateString(scope, "var bloomery = {};", "site.js", 1, null);
    for (String name : Resources.SIZING_SCRIPTS) {
      context.evaluateString(scope, Resources.text("sizing/" + name), name, 1, null);
    }
  }

  /** Returns the names of the variants that the page knows. */
  List<String> variants() {
    Scriptable bloomery = (Scriptable) scope.get("bloomery", scope);
    Scriptable variants = (Scriptable) bloomery.get("variants", bloomery);
    NativeArray names = (NativeArray) variants.get("names", variants);
    return Arrays.stream(names.toArray()).map(Object::toString).toList();
  }

  /** Calls a function of an object of the scripts, such as {@code math}. */
  Object call(String object, String function, Object... arguments) {
    Scriptable bloomery = (Scriptable) scope.get("bloomery", scope);
    return callOf((Scriptable) bloomery.get(object, bloomery), function, arguments);
  }

  /** Returns what a variant would be. */
  Plan plan(String variant, long keys, double rate) {
    return new Plan((NativeObject) call("variants", "plan", variant, (double) keys, rate));
  }

  private Object callOf(Scriptable object, String function, Object... arguments) {
    Function called = (Function) object.get(function, object);
    return called.call(context, scope, object, arguments);
  }

  @Override
  public void close() {
    Context.exit();
  }

  /** A plan that a script made. */
  final class Plan {

    private final NativeObject plan;

    Plan(NativeObject plan) {
      this.plan = plan;
    }

    boolean isRefused() {
      return plan.has("refusal", plan);
    }

    Object refusal() {
      return plan.get("refusal", plan);
    }

    double number(String name) {
      return ((Number) plan.get(name, plan)).doubleValue();
    }

    String text(String name) {
      return plan.get(name, plan).toString();
    }

    double rate(long keys) {
      return ((Number) callOf(plan, "rate", (double) keys)).doubleValue();
    }
  }
}
