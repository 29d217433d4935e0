import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../src/package-info.ts";
import { startVitrine } from "../../helpers/vitrine.ts";
import { buildImage } from "./build-image.ts";

const test = suite("deploy/Dockerfile");
const stage = buildImage("deploy/Dockerfile");
const app = join(stage.root, stage.workdir);

test("its first line states that it was not built with an engine", () => {
  const dockerfile = readFileSync(join(packageRoot, "deploy", "Dockerfile"), "utf8");
  assert.match(dockerfile, /^# Not built with a container engine: /);
});

test("the image has the Node that the tests run with, and what runs of Vitrine", () => {
  const { devDependencies } = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8"));
  const [major] = devDependencies.node.split(".");
  assert.match(stage.base, new RegExp(`^node:${major}-`));
  const content = ["deploy", "dist", "node_modules", "package.json", "schema"];
  assert.equal(readdirSync(app).sort(), content);
  const installed = readdirSync(join(app, "node_modules"));
  assert.ok(installed.includes("lmdb"));
  assert.not(installed.includes("esbuild"));
});

test("the image writes to its volume alone and exposes the default ports", () => {
  assert.ok(stage.env["DATA_DIR"]?.startsWith(`${stage.volume}/`));
  assert.is(statSync(join(stage.root, stage.volume)).mode & 0o777, 0o700);
  assert.is(stage.expose, "8080 9090");
});

test("the command of the image serves, passes its health check and ends with SIGTERM", async () => {
  const [node, ...program] = stage.entrypoint;
  assert.is(node, "node");
  assert.equal(stage.cmd, ["serve"]);
  const before = filesOf(app);
  const vitrine = await startVitrine(["--demo"], {
    program,
    cwd: app,
    env: { ...stage.env, HOST: "127.0.0.1", OPS_HOST: "127.0.0.1" },
    dataDir: join(stage.root, stage.env["DATA_DIR"] ?? ""),
  });
  await vitrine.ready();
  const { data } = await vitrine.graphql<{ shop: { name: string } }>("{ shop { name } }");
  assert.is(data.shop.name, "Retail Demo Store");
  const { port } = new URL(vitrine.opsUrl);
  assert.is(checkHealth(port), 0);
  assert.is((await vitrine.stop()).code, 0);
  assert.is(checkHealth(port), 1);
  assert.equal(filesOf(app), before);
});

const checkHealth = (opsPort: string): number | null => {
  const [node, ...args] = stage.healthcheck;
  assert.is(node, "node");
  return spawnSync(process.execPath, args, { env: { OPS_PORT: opsPort } }).status;
};

/** Lists files with their times of change, because the container's file system is read-only. */
const filesOf = (directory: string): readonly string[] =>
  readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((file) => `${file} ${statSync(join(directory, file)).mtimeMs}`)
    .sort();

test.run();
