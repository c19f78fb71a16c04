"""How a report looks: one column on a telephone, two plots abreast where there is room."""

CSS = """
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1c2024; --soft: #5b6470; --line: #b9c0c8; --zone: #e9ddc8;
  --stripe: #f4f6f8; --heat: #9cc7ef; --link: #0b57a4;
  --series-1: #0060a8; --series-2: #b84a00; --series-3: #00735a; --series-4: #8a3a7e;
  --series-5: #7a6200; --series-6: #1f8fb8; --series-7: #a02020; --series-8: #555555;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14181c; --ink: #e6e9ec; --soft: #a3adb8; --line: #505a64; --zone: #4a3f2a;
    --stripe: #1c2228; --heat: #1f5f98; --link: #8cc4ff;
    --series-1: #6ab8ff; --series-2: #ff9d57; --series-3: #4fd0ae; --series-4: #e39ad6;
    --series-5: #e6cf5a; --series-6: #8fe0ff; --series-7: #ff8a8a; --series-8: #bbbbbb;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1rem; max-width: 76rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: break-word;
}
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0.5rem 0; }
h2 { font-size: 1.25rem; margin: 2.2rem 0 0.6rem; border-top: 1px solid var(--line);
  padding-top: 1rem; }
p, ul { max-width: 46rem; }
p { margin: 0.5rem 0; }
li { margin: 0.25rem 0; }
a { color: var(--link); }
nav ul { padding: 0; margin: 0.8rem 0; list-style: none; display: flex; flex-wrap: wrap;
  gap: 0.2rem 1.2rem; }
.plots { display: grid; gap: 1rem 2rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); }
figure { margin: 1.2rem 0; min-width: 0; }
.plots figure { margin: 0.5rem 0; }
figcaption { margin-bottom: 0.4rem; }
figcaption strong { display: block; }
.about { color: var(--soft); font-size: 0.9rem; max-width: 46rem; }
svg { width: 100%; max-width: 38rem; height: auto; display: block; }
.scroll { overflow-x: auto; }
.scroll:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.25rem 0.6rem; text-align: right; border-bottom: 1px solid var(--line); }
th { font-weight: 600; vertical-align: bottom; }
th:first-child { text-align: left; white-space: normal; max-width: 45vw;
  position: sticky; left: 0; background: var(--paper); }
tbody th { font-weight: 400; }
th, td.text { white-space: nowrap; }
th.text, td.text { text-align: left; }
tbody tr:nth-child(even) > * { background: var(--stripe); }
table.heat td { background: color-mix(in srgb, var(--heat) calc(var(--share) * 100%),
  var(--paper)); text-align: center; padding: 0.25rem 0.4rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.2rem 1rem; margin: 0.5rem 0; }
dt { color: var(--soft); }
dd { margin: 0; min-width: 0; }
code { font: 0.85rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: 0.4rem; } }
@media print { .scroll { overflow: visible; } }
"""
