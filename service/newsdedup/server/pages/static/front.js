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

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !actions[event.key]) return;
  if (event.target.matches("input, textarea, select")) return;
  if (keys.open && event.key !== "?") return;
  event.preventDefault();
  actions[event.key]();
});

for (const button of document.querySelectorAll("[data-keys]")) {
  button.addEventListener("click", actions["?"]);
  button.parentElement.hidden = false;
}
