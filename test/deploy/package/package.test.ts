import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { installTarball, packPackage } from "../../helpers/packed.ts";
import { startVitrine } from "../../helpers/vitrine.ts";

const test = suite("npm package");
const tarball = packPackage();
const directory = installTarball(tarball);
const installed = join(directory, "node_modules", "vitrine");
const program = join(directory, "node_modules", ".bin", "vitrine");
const files = execFileSync("tar", ["--list", "--file", tarball], { encoding: "utf8" })
  .trim()
  .split("\n")
  .map((path) => path.replace(/^package\//, ""));

/** What an installed Vitrine runs, reads or has to carry along. */
const shipped: readonly RegExp[] = [
  /^(package\.json|README\.md|LICENSE|dist\/LICENSES\.txt)$/,
  /^dist\/src\/([\w-]+\/)*[\w-]+\.c?js$/,
  /^dist\/src\/ops\/console\/assets\/[\w-]+\.(html|css|svg)$/,
  /^schema\/([\w-]+\/)*[\w.-]+\.(json|graphql|yaml|md)$/,
  /^deploy\/demo\/(shop\.ndjson|README\.md)$/,
];

const run = (...args: readonly string[]): string =>
  execFileSync(program, args, { cwd: directory, encoding: "utf8" });

test("the tarball has what runs, and neither tests, sources nor source maps", () => {
  const foreign = files.filter((file) => !shipped.some((pattern) => pattern.test(file)));
  assert.equal(foreign, []);
  assert.ok(files.length > 100 && files.length < 250, `${files.length} files`);
  assert.ok(statSync(tarball).size < 3_000_000, `${statSync(tarball).size} bytes`);
});

test("the file of licences has every package that the bundle contains", () => {
  const licenses = readFileSync(join(installed, "dist", "LICENSES.txt"), "utf8");
  const bundled = bundledPackages();
  assert.ok(bundled.length > 50, `${bundled.length} packages`);
  assert.equal(
    bundled.filter((name) => !new RegExp(`^${name} \\d+\\.\\d+\\.\\d+.* \\(`, "m").test(licenses)),
    [],
  );
});

/** Reads the names of bundled packages from the comments that esbuild writes before each module. */
const bundledPackages = (): readonly string[] => {
  const code = readdirSync(join(installed, "dist", "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.c?js$/.test(file))
    .map((file) => readFileSync(join(installed, "dist", "src", file), "utf8"));
  const comments = code.flatMap((text) => [
    ...text.matchAll(/^\s*\/\/ .*node_modules\/((?:@[\w.-]+\/)?[\w.-]+)\/\S+$/gm),
  ]);
  return [...new Set(comments.map(([, name = ""]) => name))];
};

test("the installed commands run in a directory without a checkout", () => {
  assert.match(run("--help"), "Usage: vitrine");
  const demoShop = join(installed, "deploy", "demo", "shop.ndjson");
  assert.match(run("lint", demoShop), /: \d[\d,]+ good events/);
  assert.not(existsSync(join(directory, "data")));
});

test("the installed service serves the demo shop on every surface", async () => {
  const dataDir = join(directory, "shop-data");
  const vitrine = await startVitrine(["--demo"], { program: [program], cwd: directory, dataDir });
  await vitrine.ready();
  const { data } = await vitrine.graphql<{
    products: { totalCount: number };
    product: { product: { url: string } };
  }>('{ products(query: "leather boots") { totalCount } product(id: "1300") { product { url } } }');
  assert.is(data.products.totalCount, 24);
  const { pathname } = new URL(data.product.product.url);
  await assertPages(vitrine.url, [
    [`${pathname}.md`, "*/*", "# Cozy Quilted Winter Parka"],
    ...pages,
  ]);
  assert.match((await vitrine.ops("/")).text, "<title>");
  const token = run("token", "issue", "--label", "test", "--data-dir", dataDir).trim();
  assert.match(await callTool(vitrine.url, token), "Parka");
  const { code } = await vitrine.stop();
  assert.is(code, 0);
});

type Page = readonly [path: string, accept: string, expected: string];

/** Pages that read further files of the package. */
const pages: readonly Page[] = [
  ["/llms.txt", "*/*", "/agent/mcp"],
  ["/openapi.json", "*/*", '"openapi"'],
  ["/graphql/schema.graphql", "*/*", "type Query"],
  ["/.well-known/agent-skills/index.json", "*/*", "search-products"],
  ["/graphql", "text/html", "<title>GraphiQL"],
];

/** Loads pages with the scripts and style sheets that they name: at least the five of GraphiQL. */
const assertPages = async (url: string, expected: readonly Page[]): Promise<void> => {
  const loaded: string[] = [];
  for (const [path, accept, part] of expected) {
    const response = await fetch(`${url}${path}`, { headers: { accept } });
    const text = await response.text();
    assert.is(response.status, 200, path);
    assert.match(text, part);
    const assets = text.matchAll(/<(?:script src|link rel="stylesheet" href)="(\/[^"]+)"/g);
    for (const [, asset = ""] of assets) {
      assert.is((await fetch(`${url}${asset}`)).status, 200, asset);
      loaded.push(asset);
    }
  }
  assert.ok(loaded.length >= 5, `${loaded.length} scripts and style sheets`);
};

const callTool = async (url: string, token: string): Promise<string> => {
  const params = { name: "search_products", arguments: { query: "winter parka" } };
  const response = await fetch(`${url}/agent/mcp`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  return response.text();
};

test.run();
