// The look of the page: one style sheet, light and dark by the reader's preference, and plain enough to print.
import type { Taxonomy } from "../rollouts/taxonomy.ts";
import { deepLabels, labelColor, palette } from "./palette.ts";

export function pageStyle(taxonomy: Taxonomy): string {
  const all = palette(taxonomy);
  const variables = (shade: "light" | "dark") =>
    Object.entries(all)
      .map(([name, color]) => `--${name}:${color[shade]}`)
      .join(";");
  const classes = Object.keys(all)
    .map(
      (name) =>
        `.fill-${name}{fill:var(--${name})}.line-${name}{stroke:var(--${name})}.ink-${name}{background:var(--${name})}`,
    )
    .join("");
  // A selector that matches nothing, where no label is deep.
  const deepMarks =
    deepLabels(taxonomy)
      .map((label) => `.mark.ink-${labelColor(label)}`)
      .join(",") || ".none-is-deep";
  return `
:root{color-scheme:light dark;${variables("light")};--card:#f6f7f9;--warn:#8a5a00;--warn-paper:#fff6e0}
@media (prefers-color-scheme:dark){:root{${variables("dark")};--card:#1b2027;--warn:#f0c060;--warn-paper:#2c2412}}
${classes}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--text);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif}
main,header,footer{max-width:1000px;margin:0 auto;padding:0 24px}
header{padding-top:40px}
h1{font-size:2rem;line-height:1.2;margin:0 0 .3em}
h2{font-size:1.45rem;margin:3em 0 .3em;padding-top:.6em;border-top:2px solid var(--grid)}
h3{font-size:1.05rem;margin:0}
h4{margin:0 0 .5em}
p{max-width:72ch;overflow-wrap:anywhere}
a{color:inherit;text-underline-offset:3px}
code{font:0.86em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
.quiet{color:var(--muted)}
.conclusion{font-size:1.12rem;line-height:1.5;padding-left:1.3em;max-width:72ch;margin:1em 0}.conclusion li{margin:.7em 0}.conclusion small{display:block}
details{margin:1.6em 0}summary{cursor:pointer}
nav ul{display:flex;flex-wrap:wrap;gap:.5em;padding:0;list-style:none;margin:1.2em 0}
nav a{display:block;padding:.3em .9em;border:1px solid var(--grid);border-radius:2em;text-decoration:none;background:var(--card)}
nav a:hover,nav a:focus-visible{border-color:var(--muted)}
figure,.item{margin:2.2em 0;padding:0}
.scroll{overflow-x:auto;margin:.8em 0;background:linear-gradient(90deg,var(--paper) 40%,transparent) 0 0/3em 100% no-repeat local,linear-gradient(270deg,var(--paper) 40%,transparent) 100% 0/3em 100% no-repeat local,linear-gradient(90deg,var(--grid),transparent) 0 0/1.2em 100% no-repeat,linear-gradient(270deg,var(--grid),transparent) 100% 0/1.2em 100% no-repeat}
.scroll:focus-visible{outline:2px solid var(--at-sft)}
figure svg{display:block;max-width:100%;min-width:640px;height:auto}
.caption{margin:.15em 0 0}
dl.about{display:grid;grid-template-columns:max-content 1fr;gap:.15em 1em;margin:.6em 0 0;font-size:.82rem;color:var(--muted)}
dl.about dt{font-weight:600}
dl.about dd{margin:0;overflow-wrap:anywhere}
table{border-collapse:collapse;font-size:.88rem;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:.34em .6em;border-bottom:1px solid var(--grid);vertical-align:baseline;white-space:nowrap}
thead th{border-bottom:2px solid var(--muted);vertical-align:bottom;white-space:normal;min-width:4.5em}
tbody th{font-weight:600;white-space:normal;min-width:9em;max-width:22em}
tbody th:first-child,thead th:first-child{position:sticky;left:0;background:var(--paper)}
tbody tr:hover{background:var(--card)}
.number{text-align:right}td.text{white-space:normal;min-width:16em}
.interval,.none{color:var(--muted);font-size:.84em}.interval{display:block}
.item.missing{border:1px dashed var(--muted);border-radius:8px;padding:.8em 1.1em;color:var(--muted)}
.item.missing h3{color:var(--text)}
.gaps{background:var(--warn-paper);border-left:4px solid var(--warn);padding:.9em 1.2em;border-radius:0 8px 8px 0;margin:1.6em 0}
.gaps h2{border:0;margin:0;padding:0;font-size:1.05rem;color:var(--warn)}
.gaps ul{margin:.4em 0 0;padding-left:1.2em}
.key{display:grid;grid-template-columns:repeat(auto-fit,minmax(260px,1fr));gap:.35em 1.4em;list-style:none;padding:0;margin:1em 0;font-size:.92rem}.key li{display:flex}
.mark{display:inline-block;width:1.5em;height:1.5em;line-height:1.5em;text-align:center;border-radius:4px;color:#000;margin-right:.55em;font:600 .82em/1.5em ui-monospace,Menlo,Consolas,monospace;flex:none}
${deepMarks}{color:#fff}
.on-color{fill:#000;font-weight:600}
.on-deep{fill:#fff;font-weight:600}
@media (prefers-color-scheme:dark){${deepMarks}{color:#000}.on-deep{fill:#000}}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:1em;margin-top:1em}
.trace{max-height:30em;overflow:auto;overflow-wrap:anywhere;background:var(--card);border:1px solid var(--grid);border-radius:8px;padding:.8em 1em 0}
.trace::after{content:"";display:block;position:sticky;bottom:0;height:2.6em;background:linear-gradient(transparent,var(--card) 75%);pointer-events:none}
.trace:focus-visible{outline:2px solid var(--at-sft)}
.trace ol{list-style:none;margin:0;padding:0;font:.82rem/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.trace li{display:flex;margin:.2em 0}
.trace span{white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:isolate}
footer{margin-top:4em;padding-bottom:3em;font-size:.85rem;color:var(--muted)}
@media (min-width:1101px){.item>.scroll{width:max-content;min-width:100%;max-width:calc(50vw + 450px)}}
@media (max-width:1100px){table{font-size:.8rem}th,td{padding:.34em .4em}}
@media (max-width:700px){.pair{grid-template-columns:1fr}main,header,footer{padding:0 14px}}
@media print{nav{display:none}details::details-content{content-visibility:visible}.trace{max-height:none}.trace::after{display:none}figure,.item{break-inside:avoid}}
`.trim();
}
