/** Colors of all pages, light and dark. */
export const COLORS = `
:root {
  --ground: #f4f2ed; --card: #ffffff; --line: #d9d5cb; --ink: #22201c; --soft: #635e54;
  --accent: #24557a; --good: #1f6b3e; --good-ground: #e4f1e8; --wait: #7a4d0b; --wait-ground: #faeed8;
  --over: #635e54; --over-ground: #eceae4; --bad: #9a2c22; --bad-ground: #fae6e3;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #17191c; --card: #202327; --line: #3a3f46; --ink: #eceae6; --soft: #a9aaa8;
    --accent: #8dc1ea; --good: #8fd6a9; --good-ground: #1d3427; --wait: #f0c37c; --wait-ground: #3b2d14;
    --over: #b5b5b1; --over-ground: #2d3136; --bad: #f2a59c; --bad-ground: #41211d;
  }
}
`

/**
 * Style of all pages. Four font sizes, spacing in multiples of 4 pixels, one accent. Every pair of colors has
 * a contrast of at least 4.5:1 in light and dark (test/http/billing/checkout-pages.test.ts).
 */
export const PAGE_STYLE = `${COLORS}* { box-sizing: border-box; margin: 0; }
html { color-scheme: light dark; }
body {
  background: var(--ground); color: var(--ink); padding: 32px 16px 64px;
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
header, main { max-width: 600px; margin: 0 auto; }
.brand { font-size: 14px; font-weight: 600; letter-spacing: 0.04em; color: var(--soft); margin: 0 0 16px; }
section, .card {
  background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 24px;
  margin: 0 0 16px;
}
h1 { font-size: 28px; line-height: 1.2; letter-spacing: -0.01em; text-wrap: balance; }
h2 { font-size: 18px; line-height: 1.3; margin: 0 0 16px; }
p + p, h1 + p, ol + p, dl + p { margin-top: 12px; }
.head { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: baseline; justify-content: space-between; }
.head > * { margin: 0; }
.price { font-size: 28px; line-height: 1.2; font-variant-numeric: tabular-nums; white-space: nowrap; }
.soft, small { color: var(--soft); font-size: 14px; }
.state {
  display: inline-block; border-radius: 999px; padding: 4px 12px; margin: 0 0 16px;
  font-size: 14px; font-weight: 600; color: var(--over); background: var(--over-ground);
}
.state.good { color: var(--good); background: var(--good-ground); }
.state.wait { color: var(--wait); background: var(--wait-ground); }
.state.bad { color: var(--bad); background: var(--bad-ground); }
.note { border-radius: 8px; padding: 12px 16px; margin: 0 0 16px; }
.note.good { color: var(--good); background: var(--good-ground); }
.note.wait { color: var(--wait); background: var(--wait-ground); }
dl { display: grid; grid-template-columns: minmax(96px, auto) 1fr; gap: 8px 24px; margin: 16px 0 0; }
h2 + dl { margin-top: 0; }
dt { color: var(--soft); }
dd { overflow-wrap: anywhere; }
ol { padding: 0 0 0 24px; }
li + li { margin-top: 8px; }
li::marker { color: var(--soft); font-variant-numeric: tabular-nums; }
a { color: var(--accent); text-underline-offset: 2px; overflow-wrap: anywhere; }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
code { font: 14px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.reference {
  display: inline-block; font-size: 18px; margin: 4px 0 0; padding: 4px 12px; border: 1px solid var(--line);
  border-radius: 8px; background: var(--ground); user-select: all;
}
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th { text-align: left; color: var(--soft); font-size: 14px; font-weight: 600; }
th, td { padding: 8px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th + th, td + td { padding-left: 16px; }
tr:last-child td { border-bottom: 0; padding-bottom: 0; }
.number { text-align: right; white-space: nowrap; }
@media (min-width: 720px) { body { padding-top: 64px; } section, .card { padding: 32px; } }
@media print { body { background: none; padding: 0; } section, .card { break-inside: avoid; } }
`
