// Keys of lists: j and k go to the next and the previous headline, o opens it, ? shows the keys.
"use strict";

const headlines = () => [
  ...document.querySelectorAll("[data-list] article :is(h2, h3) a, .singles[open] li a"),
];
const keys = document.getElementById("keyboard");

function go(step) {
  const all = headlines();
  const article = document.activeElement?.closest("[data-list] article");
  const here = all.indexOf(document.activeElement);
  const from = here >= 0 ? here : all.findIndex((link) => article && article.contains(link));
  // Without a headline in focus "j" begins at the first one, "k" at the last.
  const to = from < 0 ? (step > 0 ? 0 : all.length - 1) : from + step;
  all[to]?.focus({ preventScroll: true });
  all[to]?.scrollIntoView({ block: "center" });
}

const actions = {
  j: () => go(1),
  k: () => go(-1),
  o: () => document.activeElement?.closest("[data-list] a, .singles a")?.click(),
  "?": () => (keys.open ? keys.close() : keys.showModal()),
};

// Under a Cyrillic layout these keys write other letters.
const letters = { KeyJ: "j", KeyK: "k", KeyO: "o" };

document.addEventListener("keydown", (event) => {
  const key = /\p{sc=Cyrillic}/u.test(event.key) ? letters[event.code] : event.key;
  if (event.ctrlKey || event.metaKey || event.altKey || !actions[key]) return;
  if (event.target.matches("input, textarea, select")) return;
  if (keys.open && key !== "?") return;
  event.preventDefault();
  actions[key]();
});

for (const button of document.querySelectorAll("[data-keys]")) {
  button.addEventListener("click", actions["?"]);
  button.parentElement.hidden = false;
}
