// Plays a game again: step by step, by itself, or wherever the slider is put. The companion renders every step; without
// this script, the links open each as a page of its own.
"use strict";

const STEP_MS = 2000; // at normal speed
const LINKS = { ArrowLeft: "prev", ArrowRight: "next" };
const ENDS = { Home: (slider) => slider.min, End: (slider) => slider.max };

const bar = document.getElementById("replay-bar");
const play = document.getElementById("play");
const slider = document.getElementById("step");
const speed = document.getElementById("speed");

let timer = null; // set while it plays
let asked = Number(slider.value); // the last step that was asked for: an older answer is not shown
let showing = Promise.resolve();

// Fetches and shows a step; steps that were asked for meanwhile are skipped.
function show(number) {
  asked = Number(number);
  slider.value = asked;
  showing = showing.then(() => (asked === Number(number) ? fetchStep(asked) : null));
  return showing;
}

async function fetchStep(number) {
  try {
    const answer = await fetch(`${number}?lang=${document.documentElement.lang}`);
    if (!answer.ok) throw new Error(answer.status);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    Idiomorph.morph(document.getElementById("table"), fresh.getElementById("table"));
    for (const part of ["[rel=prev], [aria-disabled]:first-child", "[rel=next], button ~ [aria-disabled]", "b"]) {
      bar.querySelector(part).replaceWith(fresh.getElementById("replay-bar").querySelector(part));
    }
    history.replaceState(null, "", String(number));
    describe();
  } catch (error) {
    pause();
    bar.querySelector("b").textContent = bar.dataset.lost;
  }
}

// Says for screen readers what the slider is at.
function describe() {
  const title = document.querySelector("#card h1").textContent.trim();
  slider.setAttribute("aria-valuetext", `${bar.querySelector("b").textContent}: ${title}`);
}

function isAtEnd() {
  return Number(slider.value) >= Number(slider.max);
}

// --- playing by itself ---

async function goOn() {
  await show(Number(slider.value) + 1);
  if (timer === null) return; // paused meanwhile
  if (isAtEnd()) pause();
  else wait();
}

function wait() {
  timer = setTimeout(goOn, STEP_MS / Number(speed.value));
}

function label(text) {
  play.querySelector("span").textContent = text;
  play.classList.toggle("playing", timer !== null);
}

async function start() {
  if (isAtEnd()) await show(0);
  wait();
  label(play.dataset.pause);
}

function pause() {
  clearTimeout(timer);
  timer = null;
  label(play.dataset.play);
}

function toggle() {
  if (timer === null) start();
  else pause();
}

play.addEventListener("click", toggle);
slider.addEventListener("input", () => {
  pause();
  show(slider.value);
});

// --- links and keys ---

function stepOf(link) {
  const number = link?.getAttribute("href");
  return /^[0-9]+$/.test(number ?? "") ? number : null;
}

document.addEventListener("click", (event) => {
  const number = stepOf(event.target.closest("a"));
  if (number === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  pause();
  show(number);
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select, input")) return;
  const link = LINKS[event.key] && bar.querySelector(`a[rel=${LINKS[event.key]}]`);
  const isPressed = event.target.closest("a, button"); // which the space bar presses anyway
  if (link) link.click();
  else if (ENDS[event.key]) show(ENDS[event.key](slider));
  else if (event.key === " " && !isPressed) toggle();
  else return;
  event.preventDefault();
});

play.hidden = slider.disabled = speed.disabled = false;
describe();

document.documentElement.dataset.runs = ""; // see supported.js
