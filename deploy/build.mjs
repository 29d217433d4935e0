/**
 * Builds the program into `dist/src`: a few files in place of some 900 modules, because Node takes a millisecond to find and
 * load each, and every command, worker and probe is a process of its own. `dist/LICENSES.txt` has the licences of bundled packages.
 * Types are checked by `npm run types`.
 */
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { bundleOptions } from "./bundle-options.mjs";
import { renderLicenses } from "./licenses.mjs";

/** Modules that run as processes: the commands, and each module that `ownProgram` starts. */
const programs = [
  "src/main.ts",
  "src/cli/query-worker/query-process.ts",
  "src/cli/supervisor/roles/http-process.ts",
  "src/cli/supervisor/roles/projector-process.ts",
  "src/event-log/journal/integrity-process.ts",
  "src/projector/rebuild/comparison-worker.ts",
  "src/read-model/integrity/probe-process.ts",
  "src/read-model/operator/collect-rows-process.ts",
  "src/read-model/operator/integrity-process.ts",
];

/**
 * Loads `node:http` with `require`, because an import reads each export of the module, and three of them load the client of `fetch`:
 * 40 ms of processor time in each process.
 */
const requireHttp = {
  name: "require-http",
  setup(bundle) {
    bundle.onResolve({ filter: /^(node:)?https?$/ }, ({ path, kind }) =>
      kind === "import-statement" ? { path, namespace: "required" } : undefined,
    );
    bundle.onLoad({ filter: /./, namespace: "required" }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
    }));
  },
};

/** Leaves out what prom-client would load for a gateway that this program does not send metrics to. */
const withoutPushGateway = {
  name: "without-push-gateway",
  setup(bundle) {
    bundle.onLoad({ filter: /prom-client\/lib\/pushgateway\.js$/ }, () => ({ contents: "" }));
  },
};

/** Keeps the types of text and JSON of Koa's list of 2,500 content types, because the program sends no others: 460 KB less. */
const withFewContentTypes = {
  name: "with-few-content-types",
  setup(bundle) {
    bundle.onLoad({ filter: /mime-db\/db\.json$/ }, ({ path }) => {
      const types = Object.entries(JSON.parse(readFileSync(path, "utf8")));
      const sent = types.filter(([type]) =>
        /^(text\/|application\/(json|javascript)$|image\/svg)/.test(type),
      );
      return { contents: JSON.stringify(Object.fromEntries(sent)), loader: "json" };
    });
  },
};

/** Loads the client of NATS from one file, because three programs would each have a copy of 460 KB. */
const withSharedNats = {
  name: "with-shared-nats",
  setup(bundle) {
    bundle.onResolve({ filter: /^nats$/ }, () => ({ path: "nats", namespace: "shared" }));
    bundle.onResolve({ filter: /^\.\/nats\.cjs$/ }, ({ path }) => ({ path, external: true }));
    bundle.onLoad({ filter: /./, namespace: "shared" }, () => ({
      // Modules that import it are in a chunk, and so is the file.
      contents: 'module.exports = require("./nats.cjs");',
    }));
  },
};

const buildNats = () =>
  build({
    ...bundleOptions,
    banner: {},
    entryPoints: ["nats"],
    outfile: "dist/src/chunks/nats.cjs",
    splitting: false,
    format: "cjs",
    metafile: true,
  });

const sources = [
  "deploy/build.mjs",
  "deploy/bundle-options.mjs",
  "package-lock.json",
  "projections",
  "schema",
  "src",
];

/** Hashes what the programs are made of. */
const hashSource = () => {
  const digest = createHash("sha256");
  for (const root of sources) {
    const below = statSync(root).isFile() ? [] : readdirSync(root, { recursive: true }).sort();
    for (const path of [root, ...below.map((name) => join(root, name))])
      if (statSync(path).isFile()) digest.update(`${path}\n`).update(readFileSync(path));
  }
  return digest.digest("hex");
};

rmSync("dist/src", { recursive: true, force: true });
const sourceHash = JSON.stringify(hashSource());
// One build for each program: modules that two programs have in common would be a file of their own, of which a process loads dozens.
const builds = await Promise.all([
  buildNats(),
  ...programs.map((program) =>
    build({
      ...bundleOptions,
      define: { ...bundleOptions.define, sourceHash },
      entryPoints: [program],
      outbase: "src",
      outdir: "dist/src",
      // lmdb loads a native binary from its package directory.
      external: ["lmdb"],
      metafile: true,
      plugins: [requireHttp, withoutPushGateway, withFewContentTypes, withSharedNats],
    }),
  ),
]);
cpSync("src/ops/console/assets", "dist/src/ops/console/assets", { recursive: true });
writeFileSync("dist/LICENSES.txt", renderLicenses(builds.map(({ metafile }) => metafile)));
chmodSync("dist/src/main.js", 0o755);
