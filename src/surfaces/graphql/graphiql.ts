import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** A file of the GraphiQL page, served by this service. */
interface Asset {
  readonly path: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** The GraphiQL page for browsers, and every file it loads (Contract §4). */
interface Graphiql {
  readonly page: Buffer;
  readonly assets: readonly Asset[];
  /** Allows this service's files only, and the inline styles and fonts that GraphiQL itself sets. */
  readonly contentSecurityPolicy: string;
}

const script = "text/javascript; charset=utf-8";
const style = "text/css; charset=utf-8";

const firstQuery = `# A first query.
# Ctrl-Enter runs the query.
{
  shop { name productCount currency }
  products(first: 5, inStockOnly: true) {
    totalCount
    nodes {
      id
      name
      price { amount currency }
    }
  }
}
`;

const start = `const fetcher = GraphiQL.createFetcher({ url: location.pathname });
ReactDOM.createRoot(document.getElementById("graphiql")).render(
  React.createElement(GraphiQL, { fetcher, defaultQuery: ${JSON.stringify(firstQuery)} }),
);
`;

/** Reads the files of the GraphiQL page from the installed packages. */
export const readGraphiql = (base: string): Graphiql => {
  const files = [
    ["react.js", script, readPackageFile("react", "umd/react.production.min.js")],
    ["react-dom.js", script, readPackageFile("react-dom", "umd/react-dom.production.min.js")],
    ["graphiql.js", script, readPackageFile("graphiql", "graphiql.min.js")],
    ["graphiql.css", style, readPackageFile("graphiql", "graphiql.min.css")],
    ["start.js", script, Buffer.from(start)],
  ] as const;
  const assets = files.map(
    ([name, type, bytes]): Asset => ({ path: `${base}/${name}`, type, bytes }),
  );
  return { page: renderPage(assets), assets, contentSecurityPolicy };
};

const readPackageFile = (name: string, file: string): Buffer => {
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
  return readFileSync(join(dirname(manifest), file));
};

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const renderPage = (assets: readonly Asset[]): Buffer => {
  const tags = assets.map(({ path, type }) =>
    type === script
      ? `<script src="${path}" defer></script>`
      : `<link rel="stylesheet" href="${path}">`,
  );
  return Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>GraphiQL</title>
<link rel="icon" href="data:,">
<style>
body, #graphiql { margin: 0; height: 100vh; }
/* On a phone the result is below the query, not to its right. */
@media (max-width: 640px) {
  #graphiql .graphiql-session { flex-direction: column; }
  #graphiql .graphiql-session > div { min-height: 0; min-width: 0; }
  #graphiql .graphiql-session > .graphiql-horizontal-drag-bar { display: none; }
}
</style>
${tags.join("\n")}
</head>
<body><div id="graphiql">GraphiQL needs JavaScript. Without it, POST a query to this address.</div></body>
</html>
`);
};
