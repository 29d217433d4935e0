import { createHash } from "node:crypto";

/** An HTML page for people. It loads no files. */
export interface HtmlPage {
  readonly text: string;
  /** Allows the page's own style and script only. */
  readonly contentSecurityPolicy: string;
}

interface Content {
  /** As HTML, like the other members. */
  readonly title: string;
  readonly head?: string;
  readonly main: string;
  /** Code of the only script. */
  readonly script?: string;
}

/** Renders a page with the style of all pages. */
export const renderHtmlPage = ({ title, head = "", main, script }: Content): HtmlPage => ({
  text: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${head}<style>${style}</style>
</head>
<body>
<main>
${main}
</main>
${script === undefined ? "" : `<script>${script}</script>\n`}</body>
</html>
`,
  contentSecurityPolicy: [
    "default-src 'none'",
    `style-src ${styleSource}`,
    ...(script === undefined ? [] : [`script-src ${hashSource(script)}`]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
});

/** Formats the source that allows one inline text. */
const hashSource = (text: string): string =>
  `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const style = `
:root{color-scheme:light dark;--ink:#1d2327;--soft:#59636b;--paper:#fbfaf7;--line:#dedad1;--link:#0b5c8a}
@media (prefers-color-scheme:dark){:root{--ink:#e8e6e1;--soft:#a3abb1;--paper:#16191c;--line:#33393e;--link:#7cc4ee}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.55 system-ui,sans-serif}
main{max-width:42rem;margin:0 auto;padding:clamp(1.5rem,6vw,4rem) 1.25rem}
h1{margin:.1em 0 .5em;font-size:clamp(1.7rem,6vw,2.4rem);line-height:1.15;overflow-wrap:anywhere}
.kicker,.foot,li span{color:var(--soft)}
.kicker{margin:0;font-size:.85rem;letter-spacing:.06em;text-transform:uppercase}
ul{list-style:none;margin:2rem 0;padding:0;border-top:1px solid var(--line)}
li{padding:.7rem 0;border-bottom:1px solid var(--line)}
li a{display:inline-block;font-weight:600}
li span{display:block;font-size:.925rem;overflow-wrap:anywhere}
a{color:var(--link);text-underline-offset:.15em}
a:focus-visible{outline:2px solid currentColor;outline-offset:3px}
code{font-size:.9em}
h2{margin:2.5rem 0 .5rem;font-size:1.25rem}
details{border-top:1px solid var(--line);padding:.6rem 0}
summary{font-weight:600;cursor:pointer}
summary:focus-visible,button:focus-visible,pre:focus-visible{outline:2px solid currentColor;outline-offset:3px}
.snippet{position:relative}
pre{margin:0;padding:.8rem 5.5rem .8rem .8rem;white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid var(--line);border-radius:.3rem;line-height:1.45}
button{position:absolute;top:.4rem;right:.4rem;padding:.3rem .6rem;border:1px solid var(--line);border-radius:.3rem;background:var(--paper);color:var(--link);font:inherit;font-size:.85rem;cursor:pointer}
.foot{font-size:.925rem}
`;

const styleSource = hashSource(style);
