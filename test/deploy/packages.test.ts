import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../src/package-info.ts";
import { readGraphiql } from "../../src/surfaces/graphql/graphiql.ts";
import { readSources } from "../helpers/sources.ts";

/**
 * Packages that `npm ci` may install. Known vulnerabilities are checked by `npm audit`, which needs the
 * registry.
 */
const test = suite("packages");

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
}

const read = (name: string) => JSON.parse(readFileSync(join(packageRoot, name), "utf8"));
const locked = Object.entries(read("package-lock.json").packages as Record<string, Locked>).filter(
  ([path]) => path !== "",
);
const nameOf = (path: string): string => path.slice(path.lastIndexOf("node_modules/") + 13);

/** Packages that may run a script at installation, and the version that was reviewed. */
const scripts: Readonly<Record<string, string>> = {
  lmdb: "3.5.6",
  "msgpackr-extract": "3.0.4",
  esbuild: "0.28.2",
  node: "24.21.0",
  "@scarf/scarf": "1.4.0",
};

test("all packages come from the registry, each with a checksum", () => {
  assert.ok(locked.length > 500);
  const foreign = locked.filter(
    ([, { resolved, link }]) =>
      link || (resolved !== undefined && !resolved.startsWith("https://registry.npmjs.org/")),
  );
  assert.equal(foreign, []);
  const unchecked = locked.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"));
  assert.equal(unchecked, []);
});

test("only reviewed packages run a script at installation", () => {
  const running = locked
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path, { version }]) => [nameOf(path), version]);
  assert.equal(Object.fromEntries(running), scripts);
});

test("package.json names one version of each package", () => {
  const { dependencies, devDependencies } = read("package.json");
  const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
    ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version)),
  );
  assert.equal(loose, []);
});

/**
 * raw-body 3 takes a limit that it cannot read for none (AIKIDO-2026-274460). Only its next major version refuses it,
 * which neither body-parser nor the MCP SDK can load yet. So nobody here may hand it such a limit: the source does not load it,
 * the SDK's part that reads bodies with it is not loaded, and body-parser refuses one.
 */
test("no body has an unlimited size, as raw-body would allow", () => {
  const bodyParser = createRequire(import.meta.url)("body-parser");
  for (const limit of ["ten", Number.NaN]) {
    assert.throws(() => bodyParser.json({ limit }), /limit/);
  }
  const sources = readSources();
  assert.not(sources.some((text) => text.includes('"raw-body"')));
  const loaded = sources.flatMap((text) =>
    [...text.matchAll(/"@modelcontextprotocol\/sdk\/([^"]+)"/g)].map(([, module]) => module),
  );
  assert.ok(loaded.length > 0);
  assert.not(loaded.some((module) => module?.includes("sse")));
});

/**
 * The Markdown mode of codemirror 5 reads some texts slowly (CVE-2025-6493), and no release of 5 mends it. GraphiQL
 * brings codemirror along, as one file that is served as it is.
 */
test("the served codemirror has no Markdown mode", () => {
  const script = readGraphiql("/ui").assets.find(({ path }) => path.endsWith("graphiql.js"));
  const modes = [...String(script?.bytes).matchAll(/\bdefineMode\("([^"]+)"/g)].map(
    ([, mode]) => mode,
  );
  assert.ok(modes.includes("graphql"));
  assert.not(modes.includes("markdown"));
});

test.run();
