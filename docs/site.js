// What the theme leaves out for keys and readers: what scrolls can be reached, landmarks have names of their own, and
// the empty corner of a table is no heading.
"use strict";
(() => {
  const each = (selector, mend) => document.querySelectorAll(selector).forEach(mend);
  const mend = () => {
    each("pre > code, math[display=block], .md-typeset__scrollwrap", (part) => {
      if (part.scrollWidth > part.clientWidth) part.setAttribute("tabindex", "0");
    });
    each(".md-code__nav:not([aria-label])", (bar) => {
      const blocks = [...document.querySelectorAll("pre")];
      bar.setAttribute("aria-label", `Buttons of code block ${blocks.indexOf(bar.closest("pre")) + 1}`);
    });
    each(".md-nav--secondary .md-nav[aria-label]", (part) => { // a list within the contents
      part.removeAttribute("aria-label");
      part.setAttribute("role", "none");
    });
    each("th:empty", (corner) => corner.replaceWith(document.createElement("td")));
  };
  new MutationObserver(mend).observe(document.documentElement, { childList: true, subtree: true });
  addEventListener("resize", mend);
  addEventListener("load", mend);
})();
