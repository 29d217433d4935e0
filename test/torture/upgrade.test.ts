import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openJournal } from "../../src/event-log/journal/index.ts";
import { packageRoot } from "../../src/package-info.ts";
import { openDataDirectory } from "../../src/read-model/generations/data-directory.ts";
import { openOperatorReader } from "../../src/read-model/operator/state.ts";
import { tables } from "../../src/read-model/schema/tables.ts";
import { openStore } from "../../src/read-model/store/store.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { isLong } from "../helpers/effort.ts";
import { putLegacyRows } from "../helpers/operator.ts";
import { mustEqualReplay } from "../helpers/projector.ts";
import { run, startVitrine, until } from "../helpers/vitrine.ts";

/** Data directories with journals of earlier versions; each new layout adds one. */
const test = suite("data directories of other versions");
const fixtures = join(packageRoot, "test", "fixtures", "upgrade");
const versions = readdirSync(fixtures).map((name) => name.replace(".tar.gz", ""));

const unpacked = (version: string): string => {
  const home = temporaryDirectory().path;
  execFileSync("tar", ["-xzf", join(fixtures, `${version}.tar.gz`), "-C", home]);
  return join(home, "data");
};

/** Checks that a service on the directory starts, answers, and reaches the model of a clean replay. */
const isTakenOver = async (dataDir: string): Promise<string> => {
  const service = await startVitrine([], { dataDir });
  await service.ready();
  const log = openJournal({ directory: join(dataDir, "journal"), now: Date.now });
  const { last } = await log.bounds();
  await until(
    async () => JSON.parse((await service.ops("/status")).text),
    ({ state, status }) => state === "live" && status.checkpoint === last,
    60,
  );
  type SentRequest = { readonly products: { readonly totalCount: number } };
  const { status, data } = await service.graphql<SentRequest>("{ products { totalCount } }");
  assert.is(status, 200);
  assert.is(data.products.totalCount, 4);
  const { code, stderr } = await service.stop();
  assert.is(code, 0);
  await mustEqualReplay(dataDir, log, last);
  await log.close();
  return stderr;
};

/** Gives a copy of a directory of the latest version that a service has taken over. */
const takenOver = (() => {
  let first: Promise<string> | undefined;
  const takeOver = async (): Promise<string> => {
    const dataDir = unpacked(versions.at(-1) ?? "");
    await isTakenOver(dataDir);
    return dataDir;
  };
  return async (): Promise<string> => {
    first ??= takeOver();
    const copy = join(temporaryDirectory().path, "data");
    cpSync(await first, copy, { recursive: true, verbatimSymlinks: true });
    return copy;
  };
})();

test("fixtures of earlier versions exist", () => assert.ok(versions.length >= 4));

for (const version of isLong ? versions : [versions[0], versions.at(-1)]) {
  test(`a data directory of ${version} is opened, or rebuilt from its journal`, async () => {
    if (version === versions.at(-1)) await takenOver();
    else await isTakenOver(unpacked(version ?? ""));
  });
}

test("a token that only the model of an earlier version knew as revoked stays revoked", async () => {
  const dataDir = unpacked(versions.at(-1) ?? "");
  const withdrawn = { leaky: { generation: 1, revoked: true } };
  await putLegacyRows(openDataDirectory(dataDir).live() ?? "", { withdrawn });
  await isTakenOver(dataDir);
  const operator = openOperatorReader(dataDir);
  assert.equal(operator.revocation("leaky"), withdrawn.leaky);
  await operator.close();
});

/** Marks the live model as made by other projections. */
const madeBy = async (dataDir: string, projections: string): Promise<void> => {
  const store = openStore(openDataDirectory(dataDir).live() ?? "", { readOnly: false });
  const checkpoint = store.get(tables.meta, "checkpoint");
  assert.ok(checkpoint);
  store.transaction((stored) =>
    stored.put(tables.meta, "checkpoint", { ...checkpoint, projections }),
  );
  await store.close();
};

test("a model of later projections is rebuilt, with that reason", async () => {
  const dataDir = await takenOver();
  await madeBy(dataDir, "of tomorrow");
  assert.match(await isTakenOver(dataDir), "the projections changed since the model was made");
});

const changed = "the projections changed since the model was made";

/** Statuses of answers while a model of other projections is live and not rebuilt. */
const answeredMeanwhile = async (dataDir: string): Promise<readonly number[]> => {
  const service = await startVitrine(["--on-divergence", "stop"], { dataDir });
  await until(
    async () => JSON.parse((await service.ops("/status")).text),
    ({ state, reason }) => state === "faulted" && reason.includes(changed),
    60,
  );
  const readiness = await service.ops("/readyz");
  assert.is(readiness.status, 503);
  assert.match(readiness.text, changed);
  const { text } = await service.ops("/metrics");
  assert.match(text, 'vitrine_projector_state{state="faulted"} 1');
  assert.match(text, /^vitrine_projector_state_since_timestamp_seconds \d{10}/m);
  assert.match(readFileSync(join(packageRoot, "deploy", "runbook.md"), "utf8"), changed);
  const texts: number[] = [];
  for (const path of ["/llms.txt", "/agent-sitemap.xml"]) {
    const text = await fetch(service.url + path, { headers: { connection: "close" } });
    await text.arrayBuffer();
    texts.push(text.status);
  }
  const { status } = await service.graphql("{ products { totalCount } }");
  assert.is((await service.stop()).code, 0);
  return [...texts, status];
};

test("until its rebuild an old model answers, unless its rows have another form", async () => {
  const dataDir = unpacked(versions.at(-1) ?? "");
  assert.equal(await answeredMeanwhile(dataDir), [503, 503, 503]);
  await isTakenOver(dataDir);
  await madeBy(dataDir, "of yesterday");
  assert.equal(await answeredMeanwhile(dataDir), [200, 200, 200]);
});

test("a directory of a later layout is rejected with exit code 3 and left unchanged", async () => {
  const dataDir = unpacked(versions.at(-1) ?? "");
  const marker = join(dataDir, "vitrine.json");
  const later = readFileSync(marker, "utf8").replace('"layout":1', '"layout":2');
  writeFileSync(marker, later);
  const ports = ["--port", "0", "--ops-port", "0"];
  const { code, stderr } = await run(["serve", "--data-dir", dataDir, ...ports]);
  assert.is(code, 3);
  assert.match(stderr, "layout");
  assert.is(readFileSync(marker, "utf8"), later);
});

test.run();
