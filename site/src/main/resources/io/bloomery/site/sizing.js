"use strict";

/* The page that sizes filters: reads the form, asks bloomery.variants, and shows the answers. */
(function () {
  const MOST_KEYS = 1e12;
  const SUFFIXES = { K: 1e3, M: 1e6, G: 1e9, B: 1e9, T: 1e12 };
  const keysInput = document.getElementById("keys");
  const fppInput = document.getElementById("fpp");
  const select = document.getElementById("variant");
  const error = document.getElementById("sizing-error");
  const answer = document.getElementById("sizing-answer");
  const figure = document.getElementById("sizing-chart");
  const codeBox = document.getElementById("sizing-code");
  const commandBox = document.getElementById("sizing-command");
  let shown = null;

  function keysOf(text) {
    const parts = /^([\d.,_ ']*\d(?:e\+?\d+)?)\s*([KMGBT]?)$/i.exec(text.trim());
    const number = parts ? Number(parts[1].replace(/[,_ ']/g, "")) : NaN;
    const keys = Math.round(number * (SUFFIXES[parts ? parts[2].toUpperCase() : ""] || 1));
    if (!(keys >= 1 && keys <= MOST_KEYS)) {
      throw new Error(
        "Keys must be a number from 1 to 10¹², but was “" + text + "”; write 10M or 1e7.",
      );
    }
    return keys;
  }

  /* Percents are divided as decimal digits, so that 0.1 % is 0.001 and not a number beside it. */
  function fppOf(text) {
    const parts = /^((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(%?)$/i.exec(text.trim());
    let fpp = NaN;
    if (parts) {
      const written = parts[1].toLowerCase().split("e");
      const exponent = Number(written[1] || 0) - (parts[2] === "%" ? 2 : 0);
      fpp = Number(written[0] + "e" + exponent);
    }
    if (!(fpp > 0 && fpp < 1)) {
      throw new Error(
        "The rate must be between 0 and 1, but was “" + text + "”; write 0.01 or 1 %.",
      );
    }
    return fpp;
  }

  function digits(number, count) {
    return number.toLocaleString("en", { maximumSignificantDigits: count });
  }

  function size(bytes) {
    const units = ["bytes", "KB", "MB", "GB", "TB"];
    let unit = 0;
    while (bytes >= 1000 && unit < units.length - 1) {
      bytes /= 1000;
      unit++;
    }
    return (unit === 0 ? String(bytes) : bytes.toPrecision(3)) + " " + units[unit];
  }

  function rate(number) {
    if (number >= 0.0001) {
      return digits(number * 100, 3) + " %";
    }
    return number.toExponential(2);
  }

  function cell(row, text, className, title) {
    const made = row.insertCell();
    made.textContent = text;
    made.className = className;
    if (title) {
      made.title = title;
    }
    return made;
  }

  /* The exact numbers stand in data attributes, for whoever compares them. */
  function showRow(body, one, keys, selected) {
    const row = body.insertRow();
    row.dataset.variant = one.name;
    row.className = one.name === selected ? "selected" : "";
    const head = document.createElement("th");
    head.scope = "row";
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = one.name;
    button.addEventListener("click", function () {
      select.value = one.name;
      show();
    });
    head.append(button);
    row.append(head);
    const plan = one.plan;
    if (plan.refusal) {
      row.dataset.refusal = plan.refusal;
      cell(row, plan.refusal, "refusal").colSpan = 6;
      return;
    }
    row.dataset.bits = plan.bits;
    row.dataset.heapBytes = plan.heapBytes;
    row.dataset.probes = plan.probes;
    row.dataset.rate = plan.rate(keys);
    row.dataset.rateAtTwice = plan.rate(2 * keys);
    cell(row, (plan.bits / keys).toFixed(2), "n");
    cell(row, size(plan.bits / 8), "n", (plan.bits / 8).toLocaleString("en") + " bytes");
    cell(row, size(plan.heapBytes), "n", plan.heapBytes.toLocaleString("en") + " bytes");
    cell(row, plan.reads, "");
    cell(row, rate(plan.rate(keys)), "n");
    cell(row, rate(plan.rate(2 * keys)), "n");
  }

  function sentence(one, keys, fpp) {
    if (one.plan.refusal) {
      return one.name + ": " + one.plan.refusal + ".";
    }
    return (
      digits(keys, 15) +
      " keys at " +
      rate(fpp) +
      " take " +
      size(one.plan.heapBytes) +
      " as " +
      one.name +
      ", " +
      (one.plan.bits / keys).toFixed(2) +
      " bits a key."
    );
  }

  function code(keys, fpp, variant) {
    const grouped = String(keys).replace(/\B(?=(\d{3})+$)/g, "_") + (keys > 2147483647 ? "L" : "");
    return (
      "BloomFilter<String> filter =\n    Bloomery.strings().expect(" +
      grouped +
      ').variant("' +
      variant +
      '").fpp(' +
      fpp +
      ").create();"
    );
  }

  function command(keys, fpp, variant) {
    return (
      "bloomery create --variant " +
      variant +
      " --expected " +
      keys +
      " --fpp " +
      fpp +
      " \\\n  -o keys.bloom keys.txt"
    );
  }

  function read() {
    const keys = keysOf(keysInput.value);
    const fpp = fppOf(fppInput.value);
    return { keys: keys, fpp: fpp, variant: select.value };
  }

  function show() {
    let asked;
    try {
      asked = read();
    } catch (problem) {
      error.textContent = problem.message;
      error.hidden = false;
      return;
    }
    error.hidden = true;
    const plans = bloomery.variants.names.map(function (name) {
      return { name: name, plan: bloomery.variants.plan(name, asked.keys, asked.fpp) };
    });
    const body = document.querySelector("#sizing-table tbody");
    body.replaceChildren();
    plans.forEach(function (one) {
      showRow(body, one, asked.keys, asked.variant);
    });
    const selected = plans.find(function (one) {
      return one.name === asked.variant;
    });
    answer.textContent = sentence(selected, asked.keys, asked.fpp);
    codeBox.textContent = code(asked.keys, asked.fpp, asked.variant);
    commandBox.textContent = command(asked.keys, asked.fpp, asked.variant);
    shown = { asked: asked, plans: plans };
    drawCharts();
    const state = new URLSearchParams({
      keys: keysInput.value,
      fpp: fppInput.value,
      variant: asked.variant,
    });
    history.replaceState(null, "", "?" + state + location.hash);
  }

  function drawCharts() {
    const possible = shown.plans.filter(function (one) {
      return !one.plan.refusal;
    });
    const asked = shown.asked;
    const chart = bloomery.sizingChart;
    chart.drawBits(document.getElementById("sizing-bits"), asked.keys, possible, asked.variant);
    chart.drawRates(figure, asked.keys, asked.fpp, possible, asked.variant);
  }

  bloomery.variants.names.forEach(function (name) {
    select.add(new Option(name, name));
  });
  const asked = new URLSearchParams(location.search);
  keysInput.value = asked.get("keys") || keysInput.value;
  fppInput.value = asked.get("fpp") || fppInput.value;
  if (bloomery.variants.names.indexOf(asked.get("variant")) >= 0) {
    select.value = asked.get("variant");
  }
  document.getElementById("sizing").addEventListener("input", show);
  document.getElementById("sizing").addEventListener("submit", function (event) {
    event.preventDefault();
  });
  window.addEventListener("resize", function () {
    if (shown !== null) {
      drawCharts();
    }
  });
  show();
})();
