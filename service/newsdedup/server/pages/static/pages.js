// What is better with a script: local times, filters that apply themselves.
"use strict";

// Times in the zone of the reader stand in the tooltip; the page itself stays in UTC.
const local = new Intl.DateTimeFormat(document.documentElement.lang, {
  dateStyle: "medium",
  timeStyle: "long",
});
for (const time of document.querySelectorAll("time[datetime]")) {
  time.title += "\n" + local.format(new Date(time.dateTime));
}

// A choice in a list applies at once; fields that are typed wait for the button.
for (const form of document.querySelectorAll("form[data-submits]")) {
  form.addEventListener("change", (event) => {
    if (event.target.matches("select")) form.requestSubmit();
  });
}

// Empty fields would only lengthen the address.
for (const form of document.querySelectorAll("form[method=get]")) {
  form.addEventListener("submit", () => {
    for (const field of form.elements) {
      if (field.name && field.type !== "radio" && field.value === "") field.disabled = true;
    }
  });
}
window.addEventListener("pageshow", (event) => {
  for (const field of document.querySelectorAll(":disabled")) field.disabled = false;
  // Who goes back finds the page as it was left, with the choice that led away from it.
  if (event.persisted) for (const form of document.querySelectorAll("form.filters[method=get]")) form.reset();
});

// "/" goes to the field of words, as on many sites.
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("input, textarea, select")) return;
  const field = document.querySelector("input[type=search]");
  if (field) {
    event.preventDefault();
    field.focus();
  }
});
