import { readFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../src/root.ts";

/** What `npm ci` may bring in. Known holes are for `npm audit` to tell, which needs the registry. */
const test = suite("the packages it is made of");

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

/** Who may run a script at installation, and at which version: each was looked at. */
const scripts: Readonly<Record<string, string>> = {
  lmdb: "3.5.6",
  "msgpackr-extract": "3.0.4",
  esbuild: "0.28.2",
  node: "24.21.0",
  "@scarf/scarf": "1.4.0",
};

test("comes from the registry alone, each package with a checksum", () => {
  assert.ok(locked.length > 500);
  const foreign = locked.filter(
    ([, { resolved, link }]) =>
      link || (resolved !== undefined && !resolved.startsWith("https://registry.npmjs.org/")),
  );
  assert.equal(foreign, []);
  const unchecked = locked.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"));
  assert.equal(unchecked, []);
});

test("runs no script at installation but those that were looked at", () => {
  const running = locked
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path, { version }]) => [nameOf(path), version]);
  assert.equal(Object.fromEntries(running), scripts);
});

test("names one version of each package it asks for", () => {
  const { dependencies, devDependencies } = read("package.json");
  const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
    ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version)),
  );
  assert.equal(loose, []);
});

test.run();
