"use strict";

/* The page that sizes filters: shows the plans that were made when the site was built. */
(function () {
  const grid = JSON.parse(document.getElementById("sizing-grid").textContent);
  const given = document.getElementById("for");
  const rate = document.getElementById("fpp");
  const variant = document.getElementById("variant");
  const body = document.querySelector("#sizing-table tbody");
  const heads = Array.from(document.querySelectorAll("#sizing-table thead th"), function (head) {
    return head.textContent;
  });

  function option(value, text) {
    const made = document.createElement("option");
    made.value = value;
    made.textContent = text;
    return made;
  }

  function percent(text) {
    return Number((Number(text) * 100).toPrecision(6)) + " %";
  }

  function fill() {
    const groups = given.querySelectorAll("optgroup");
    grid.keys.forEach(function (keys) {
      groups[0].append(option(keys, Number(keys).toLocaleString("en") + " keys"));
    });
    grid.bytes.forEach(function (size) {
      groups[1].append(option(size.replace(" ", ""), size));
    });
    grid.rates.forEach(function (text) {
      rate.append(option(text, text + " (" + percent(text) + ")"));
    });
    grid.variants.forEach(function (name) {
      variant.append(option(name, name));
    });
  }

  /* Takes a choice from the address, if there is such a choice. */
  function choose(select, value) {
    const index = Array.from(select.options).findIndex(function (one) {
      return one.value === value;
    });
    if (index >= 0) {
      select.selectedIndex = index;
    }
  }

  function row(name, plan) {
    const made = body.insertRow();
    made.dataset.variant = name;
    made.className = name === variant.value ? "selected" : "";
    const head = document.createElement("th");
    head.scope = "row";
    head.textContent = name;
    made.append(head);
    if (typeof plan === "string") {
      const cell = made.insertCell();
      cell.textContent = plan;
      cell.className = "refusal";
      cell.colSpan = heads.length - 1;
      return;
    }
    plan.forEach(function (text, i) {
      const cell = made.insertCell();
      cell.textContent = text;
      cell.dataset.label = heads[i + 1];
      cell.className = i < plan.length - 1 ? "n" : "";
    });
  }

  function showUse(plan) {
    const asked = grid.keys.includes(given.value) ? "--keys " : "--bytes ";
    let code = "";
    let command = `bloomery size ${asked}${given.value} --fpp ${rate.value}`;
    if (typeof plan !== "string") {
      const keys = plan[0].replaceAll(",", "_");
      const digits = plan[0].replaceAll(",", "");
      code =
        "BloomFilter<String> filter =\n    Bloomery.strings()" +
        `.expect(${keys}${Number(digits) > 2147483647 ? "L" : ""})` +
        `.fpp(${rate.value}).variant("${variant.value}").create();`;
      command +=
        `\nbloomery create --variant ${variant.value} --expected ${digits}` +
        ` --fpp ${rate.value} \\\n  -o keys.bloom keys.txt`;
    }
    document.getElementById("sizing-code").textContent = code;
    document.getElementById("sizing-command").textContent = command;
  }

  function show() {
    const plans = grid.plans[given.selectedIndex][rate.selectedIndex];
    body.replaceChildren();
    grid.variants.forEach(function (name, i) {
      row(name, plans[i]);
    });
    showUse(plans[variant.selectedIndex]);
    const state = new URLSearchParams({
      for: given.value,
      fpp: rate.value,
      variant: variant.value,
    });
    history.replaceState(null, "", "?" + state + location.hash);
  }

  fill();
  const asked = new URLSearchParams(location.search);
  choose(given, asked.get("for") || "1000000");
  choose(rate, asked.get("fpp") || "0.01");
  choose(variant, asked.get("variant") || "standard");
  document.getElementById("sizing").addEventListener("change", show);
  document.getElementById("sizing").addEventListener("submit", function (event) {
    event.preventDefault();
  });
  show();
})();
