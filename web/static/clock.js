// The turn clock, for devices that want one: fetches everybody's time whenever the table changes, and lets that of the
// player to move run until then.
"use strict";

const clock = document.getElementById("clock");
const table = document.getElementById("table");
let fetchedAt = performance.now();
let shownVersion = null;

function asTime(seconds) {
  const [hours, minutes, rest] = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map(Math.floor);
  const padded = String(rest).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${padded}` : `${minutes}:${padded}`;
}

function tick() {
  const passed = (performance.now() - fetchedAt) / 1000;
  for (const time of clock.querySelectorAll("time")) {
    const runs = time.parentElement.classList.contains("running");
    time.textContent = asTime(Number(time.dataset.seconds) + (runs ? passed : 0));
  }
}

async function fetchTimes() {
  const { version, token } = document.getElementById("state").dataset;
  if (shownVersion === `${token} ${version}`) return;
  shownVersion = `${token} ${version}`;
  try {
    const answer = await fetch(`/clock?lang=${document.documentElement.lang}`);
    if (!answer.ok) return;
    clock.innerHTML = await answer.text();
    fetchedAt = performance.now();
    tick();
  } catch (error) {
    shownVersion = null; // tried again with the next change
  }
}

new MutationObserver(fetchTimes).observe(table, { attributes: true, subtree: true, attributeFilter: ["data-version"] });
setInterval(tick, 1000);
fetchTimes();
