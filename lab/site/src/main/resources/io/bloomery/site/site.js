"use strict";

/* What is shared by the scripts of a page. */
var bloomery = {};

/* The navigation of narrow windows opens by a button. */
(function () {
  const button = document.getElementById("menu");
  button.addEventListener("click", function () {
    const open = document.body.classList.toggle("menu-open");
    button.setAttribute("aria-expanded", String(open));
  });
})();

/* The table of contents shows which section is read. */
(function () {
  const contents = document.getElementById("contents");
  if (!contents || !("IntersectionObserver" in window)) {
    return;
  }
  const links = new Map();
  contents.querySelectorAll("a").forEach(function (link) {
    links.set(decodeURIComponent(link.hash.slice(1)), link);
  });
  const headings = Array.from(document.querySelectorAll("main h2[id], main h3[id]"));
  let shown = null;
  function show() {
    let current = headings[0];
    for (const heading of headings) {
      if (heading.getBoundingClientRect().top > 120) {
        break;
      }
      current = heading;
    }
    const link = current && links.get(current.id);
    if (link === shown) {
      return;
    }
    if (shown) {
      shown.removeAttribute("aria-current");
    }
    shown = link;
    if (link) {
      link.setAttribute("aria-current", "true");
      const box = contents.getBoundingClientRect();
      const place = link.getBoundingClientRect();
      if (place.top < box.top || place.bottom > box.bottom) {
        contents.scrollTop += place.top - box.top - box.height / 2;
      }
    }
  }
  const observer = new IntersectionObserver(show, { rootMargin: "-110px 0px -60% 0px" });
  headings.forEach(function (heading) {
    observer.observe(heading);
  });
  show();
})();

/* The navigation stands where its page is. */
(function () {
  const current = document.querySelector("#pages [aria-current]");
  const pages = document.getElementById("pages");
  if (current && pages.scrollHeight > pages.clientHeight) {
    pages.scrollTop = current.offsetTop - pages.clientHeight / 2;
  }
})();
