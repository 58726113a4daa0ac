// A lesson: outlines the pieces, or the button, with which the step that is due is done. A style sheet does so, as the page
// replaces its elements whenever the table changes.
"use strict";

const marks = new CSSStyleSheet();
document.adoptedStyleSheets = [...document.adoptedStyleSheets, marks];

let shown = ""; // what is outlined now

function suggest() {
  const { pieces, text } = document.getElementById("lesson")?.dataset ?? {};
  const named = pieces?.split(" ").filter(Boolean) ?? [];
  const button = text && !named.length ? [`[data-do="tap"][data-text="${CSS.escape(text)}"]`] : [];
  const suggested = [...named.map((piece) => `[data-piece="${CSS.escape(piece)}"]`), ...button].join();
  if (suggested === shown) return;
  shown = suggested;
  if (suggested) document.querySelector(suggested)?.scrollIntoView({ block: "center" });
  marks.replaceSync(
    suggested &&
      `:is(${suggested}):not(g) { outline: 3px solid var(--glow); outline-offset: 2px; border-radius: 0.5rem; }
       g:is(${suggested}) > :first-child { stroke: var(--glow); stroke-width: 6; }`,
  );
}

const watched = ["data-version", "data-pieces", "data-text"];
new MutationObserver(suggest).observe(document.getElementById("table"), {
  attributes: true,
  childList: true,
  subtree: true,
  attributeFilter: watched,
});
suggest();
