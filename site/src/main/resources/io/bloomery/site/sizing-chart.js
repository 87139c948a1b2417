"use strict";

/* The bits of all variants, and their rates over the number of keys, as SVG. */
bloomery.sizingChart = (function () {
  const SVG = "http://www.w3.org/2000/svg";
  const LEFT = 46;
  const RIGHT = 10;
  const TOP = 10;
  const BOTTOM = 36;
  const HEIGHT = 300;
  const LEAST = 0.1; // of n
  const MOST = 10;
  const POINTS = 61;
  const ROW = 22;
  const NAMES = 104;
  const NUMBERS = 56;

  function element(name, attributes, text) {
    const made = document.createElementNS(SVG, name);
    Object.keys(attributes).forEach(function (key) {
      made.setAttribute(key, attributes[key]);
    });
    if (text) {
      made.textContent = text;
    }
    return made;
  }

  /* Numbers of keys that lie evenly on a logarithmic scale. */
  function numbers(keys) {
    const found = [];
    for (let i = 0; i < POINTS; i++) {
      const share = LEAST * Math.pow(MOST / LEAST, i / (POINTS - 1));
      const n = Math.max(1, Math.round(keys * share));
      if (found.length === 0 || n > found[found.length - 1]) {
        found.push(n);
      }
    }
    return found;
  }

  function power(exponent) {
    if (exponent >= -4) {
      return ["100 %", "10 %", "1 %", "0.1 %", "0.01 %"][-exponent];
    }
    const raised = String(-exponent).replace(/\d/g, function (digit) {
      return "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit];
    });
    return "10⁻" + raised;
  }

  /*
   * Draws into an element.
   *
   * plans: of each variant that can be had, {name, plan}, in the order of their colours
   */
  function drawRates(figure, keys, fpp, plans, selected) {
    const width = Math.max(300, Math.round(figure.clientWidth) || 640);
    const svg = element("svg", {
      viewBox: "0 0 " + width + " " + HEIGHT,
      role: "img",
      "aria-label": "Rates of all variants over the number of keys",
    });
    const ns = numbers(keys);
    const lines = plans.map(function (one) {
      return {
        name: one.name,
        rates: ns.map(function (n) {
          return Math.max(1e-30, one.plan.rate(n));
        }),
      };
    });
    const lowest = Math.log10(fpp) - 2.2;
    function x(n) {
      const share = Math.log(n / keys / LEAST) / Math.log(MOST / LEAST);
      return LEFT + Math.min(1, Math.max(0, share)) * (width - LEFT - RIGHT);
    }
    function y(rate) {
      return TOP + (Math.log10(rate) / lowest) * (HEIGHT - TOP - BOTTOM);
    }
    const step = lowest < -12 ? 4 : lowest < -6 ? 2 : 1;
    for (let exponent = 0; exponent > lowest; exponent -= step) {
      const place = y(Math.pow(10, exponent));
      svg.append(
        element("line", { x1: LEFT, x2: width - RIGHT, y1: place, y2: place, class: "grid" }),
        element("text", { x: LEFT - 6, y: place + 4, class: "tick end" }, power(exponent)),
      );
    }
    [0.1, 0.2, 0.5, 1, 2, 5, 10].forEach(function (share) {
      const label = share === 1 ? "n" : share + " n";
      const place = x(keys * share);
      svg.append(element("text", { x: place, y: HEIGHT - 18, class: "tick middle" }, label));
    });
    svg.append(element("text", { x: width / 2, y: HEIGHT - 2, class: "tick middle" }, "keys"));
    svg.append(
      element("line", { x1: x(keys), x2: x(keys), y1: TOP, y2: HEIGHT - BOTTOM, class: "mark" }),
      element("line", { x1: LEFT, x2: width - RIGHT, y1: y(fpp), y2: y(fpp), class: "mark" }),
    );
    const clip = element("clipPath", { id: "sizing-area" });
    clip.append(
      element("rect", { x: LEFT, y: 0, width: width - LEFT, height: HEIGHT - BOTTOM + 1 }),
    );
    svg.append(clip);
    /* Lines that lie on one another are one, with the names of all of them. */
    const drawn = [];
    lines.forEach(function (line, i) {
      const places = line.rates.map(y);
      const same = drawn.find(function (other) {
        return other.places.every(function (place, j) {
          return Math.abs(place - places[j]) < 1;
        });
      });
      if (same) {
        same.names.push(line.name);
      } else {
        drawn.push({ names: [line.name], places: places, style: "line series-" + (i + 1) });
      }
    });
    const polylines = drawn.map(function (line) {
      const points = ns
        .map(function (n, j) {
          return x(n).toFixed(1) + "," + line.places[j].toFixed(1);
        })
        .join(" ");
      return element("polyline", {
        points: points,
        class: line.style + (line.names.includes(selected) ? " selected" : ""),
        "clip-path": "url(#sizing-area)",
      });
    });
    /* The selected line lies above those that it crosses. */
    polylines
      .sort(function (a, b) {
        return a.classList.contains("selected") - b.classList.contains("selected");
      })
      .forEach(function (polyline) {
        svg.append(polyline);
      });
    const caption = document.createElement("figcaption");
    drawn.forEach(function (line) {
      const key = document.createElement("span");
      key.className = line.names.includes(selected) ? "key selected" : "key";
      const sample = document.createElement("i");
      sample.className = line.style;
      key.append(sample, line.names.join(", "));
      caption.append(key, " ");
    });
    figure.replaceChildren(svg, caption);
  }

  /* Draws the bits of a key as bars, into an element. */
  function drawBits(figure, keys, plans, selected) {
    const width = Math.max(300, Math.round(figure.clientWidth) || 640);
    const svg = element("svg", {
      viewBox: "0 0 " + width + " " + (ROW * plans.length + 2),
      role: "img",
      "aria-label": "Bits a key of all variants",
    });
    const bits = plans.map(function (one) {
      return one.plan.bits / keys;
    });
    const most = Math.max.apply(null, bits);
    plans.forEach(function (one, i) {
      const top = ROW * i;
      const length = Math.max(1, (bits[i] / most) * (width - NAMES - NUMBERS));
      const style = one.name === selected ? "ours" : "peer";
      svg.append(
        element("text", { x: NAMES - 8, y: top + 13, class: "name " + style }, one.name),
        element("rect", { x: NAMES, y: top + 3, width: length, height: 12, rx: 2, class: style }),
        element(
          "text",
          { x: NAMES + length + 6, y: top + 13, class: "value" },
          bits[i].toFixed(2),
        ),
      );
    });
    figure.replaceChildren(svg);
  }

  return { drawBits: drawBits, drawRates: drawRates };
})();
