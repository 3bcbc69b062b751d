// Handles keys, light and dark mode, opening a file, and figures that open large. Everything else happens on the server.
"use strict";
(() => {
  const KEYS = new Set(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", " ", "b", "f", "r", "s", "n"]);
  const LARGEST = 900000; // characters; a message may have one million

  document.addEventListener("keydown", (event) => {
    if (!document.querySelector(".stage")) return; // no game here
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    const at = event.target.closest("input, select, textarea, summary, a, button");
    const typing = at && at.matches("input, select, textarea");
    const pressing = at && (event.key === " " || event.key === "Enter");
    if (typing || pressing || !(KEYS.has(event.key) || /^[1-9]$/.test(event.key))) return;
    event.preventDefault(); // no scrolling
    if (event.repeat) return; // a key that is held down is one move
    emitEvent("walkon-key", event.key);
  });

  // After a choice with the mouse, keys are moves again; after one with the keyboard, the focus stays where it is.
  let byHand = false;
  document.addEventListener("pointerdown", () => (byHand = true), true);
  document.addEventListener("keydown", () => (byHand = false), true);
  document.addEventListener("change", (event) => byHand && event.target.matches("select, [type=range]") && event.target.blur());

  const LIGHTS = ["auto", "light", "dark"];
  const light = () => localStorage.getItem("walkon-light") || "auto";
  const shine = () => (document.documentElement.dataset.light = light()); // the style sheet does the rest
  shine();
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-light-switch]")) return;
    localStorage.setItem("walkon-light", LIGHTS[(LIGHTS.indexOf(light()) + 1) % LIGHTS.length]);
    shine();
  });

  // Links to the other pages of a game lead to the same game.
  document.addEventListener("click", (event) => {
    const link = event.target.closest(".head nav a"), inside = document.querySelector('.head nav a[href^="/play"]') ? "/play" : "/";
    if (link && location.search.includes("world=") && [inside, "/compare"].includes(link.pathname)) link.search = location.search;
  });

  // Back and forward: the page asks for the game of the address.
  window.addEventListener("popstate", () => {
    if (location.pathname === "/trial") location.reload();
    else emitEvent("walkon-back", location.search.slice(1));
  });

  // A figure opens large, over the page; arrows lead to the next one, Escape and a press beside it close it.
  const figures = () => [...document.querySelectorAll("[data-large]")];
  let open = 0;
  const enlarge = (number) => {
    const all = figures(), dialog = document.querySelector("dialog.large");
    open = (number + all.length) % all.length;
    const shown = all[open].closest("figure");
    const tall = [...all[open].children].some((picture) => picture.naturalHeight > 0.8 * picture.naturalWidth); // scrolls
    const pictures = [...all[open].children].map((picture) => Object.assign(picture.cloneNode(), { loading: "eager" }));
    dialog.classList.toggle("tall", tall);
    dialog.querySelector(".large-figure").replaceChildren(...pictures, shown.querySelector("figcaption").cloneNode(true));
    if (!dialog.open) dialog.showModal();
  };
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-large]"), turn = event.target.closest("[data-turn]");
    if (turn) enlarge(open + Number(turn.dataset.turn));
    else if (event.target.matches("dialog.large")) event.target.close();
    else if (opener && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      enlarge(figures().indexOf(opener));
    }
  });
  document.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by && document.querySelector("dialog.large[open]")) enlarge(open + by);
  });

  document.addEventListener("change", async (event) => {
    if (!event.target.matches("[data-open]") || !event.target.files.length) return;
    const file = event.target.files[0];
    emitEvent("walkon-open", file.size > LARGEST ? "" : await file.text());
    event.target.value = "";
  });
})();
