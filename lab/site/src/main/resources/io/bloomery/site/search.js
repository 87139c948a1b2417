"use strict";

/* Search over all pages by the index that the build made; it is loaded when it is first needed. */
(function () {
  const form = document.getElementById("search");
  const input = form.querySelector("input");
  const list = document.getElementById("found");
  const MOST = 12;
  let loading = false;
  let chosen = -1;

  function load() {
    if (loading) {
      return;
    }
    loading = true;
    const script = document.createElement("script");
    script.src = "search-index.js";
    script.addEventListener("load", show);
    document.head.appendChild(script);
  }

  /* Returns the place of the first word that is not before the given one. */
  function firstFrom(words, word) {
    let low = 0;
    let high = words.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (words[middle] < word) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /* Returns the score of each section that has a word that begins so. */
  function scores(index, beginning) {
    const found = new Map();
    for (let i = firstFrom(index.words, beginning); i < index.words.length; i++) {
      const word = index.words[i];
      if (!word.startsWith(beginning)) {
        break;
      }
      const places = index.places[i];
      const rare = Math.log(1 + index.sections.length / (places.length / 2));
      const whole = word.length === beginning.length ? 3 : 1;
      for (let j = 0; j < places.length; j += 2) {
        const score = rare * whole * Math.log(1 + places[j + 1]);
        found.set(places[j], Math.max(found.get(places[j]) || 0, score));
      }
    }
    return found;
  }

  function search(index, text) {
    const wanted = text.toLowerCase().match(/[\p{L}_][\p{L}\p{N}_]*/gu) || [];
    let all = null;
    for (const word of wanted) {
      const found = scores(index, word);
      if (all === null) {
        all = found;
        continue;
      }
      const both = new Map();
      all.forEach(function (score, section) {
        if (found.has(section)) {
          both.set(section, score + found.get(section));
        }
      });
      all = both;
    }
    return Array.from(all || [])
      .sort(function (a, b) {
        return b[1] - a[1] || a[0] - b[0];
      })
      .slice(0, MOST)
      .map(function (entry) {
        return index.sections[entry[0]];
      });
  }

  function element(name, className, text) {
    const made = document.createElement(name);
    made.className = className;
    made.textContent = text;
    return made;
  }

  function hide() {
    list.hidden = true;
    chosen = -1;
    input.setAttribute("aria-expanded", "false");
  }

  function show() {
    const text = input.value.trim();
    if (text === "" || !bloomery.searchIndex) {
      hide();
      return;
    }
    list.replaceChildren();
    chosen = -1;
    const sections = search(bloomery.searchIndex, text);
    sections.forEach(function (section) {
      const link = document.createElement("a");
      link.href = section[0];
      const title = section[1] === section[2] ? section[1] : section[1] + " › " + section[2];
      link.append(element("span", "title", title), element("span", "text", section[3]));
      const item = document.createElement("li");
      item.setAttribute("role", "option");
      item.append(link);
      list.append(item);
    });
    if (sections.length === 0) {
      list.append(element("li", "none", "Nothing found"));
    }
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
  }

  function choose(step) {
    const links = list.querySelectorAll("a");
    if (list.hidden || links.length === 0) {
      return;
    }
    chosen = (chosen + step + links.length) % links.length;
    links.forEach(function (link, i) {
      link.classList.toggle("chosen", i === chosen);
    });
    links[chosen].scrollIntoView({ block: "nearest" });
  }

  input.addEventListener("focus", load);
  input.addEventListener("input", function () {
    load();
    show();
  });
  input.addEventListener("keydown", function (event) {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      choose(event.key === "ArrowDown" ? 1 : -1);
      event.preventDefault();
    } else if (event.key === "Escape") {
      hide();
    }
  });
  form.addEventListener("submit", function (event) {
    event.preventDefault();
    const links = list.querySelectorAll("a");
    if (!list.hidden && links.length > 0) {
      location.href = links[Math.max(0, chosen)].href;
      hide();
    }
  });
  list.addEventListener("click", hide);
  document.addEventListener("click", function (event) {
    if (!form.contains(event.target)) {
      hide();
    }
  });
  document.addEventListener("keydown", function (event) {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName);
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
      input.focus();
      event.preventDefault();
    }
  });
})();
