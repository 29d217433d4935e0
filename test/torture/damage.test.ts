import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openJournal } from "../../src/event-log/journal/index.ts";
import type { CloudEvent } from "../../src/events/envelope.ts";
import { openEnvironment } from "../../src/lmdb/environment.ts";
import { createLogger } from "../../src/log.ts";
import { quarantineDamaged } from "../../src/projector/integrity/quarantine.ts";
import { openDataDirectory } from "../../src/read-model/generations/data-directory.ts";
import { probeGeneration } from "../../src/read-model/integrity/probe.ts";
import { openReader } from "../../src/read-model/reader/open-reader.ts";
import type { Snapshot } from "../../src/read-model/reader/reader.ts";
import { modelLayout } from "../../src/read-model/schema/checkpoint.ts";
import { tables } from "../../src/read-model/schema/tables.ts";
import { clearFlag, flagForCheck, readFlag } from "../../src/read-model/store/damage-flag.ts";
import { type Digest, openStore } from "../../src/read-model/store/store.ts";
import { copyWithUnmarkedModels } from "../helpers/copy-data.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { again, amount, chanceOf, reportDone } from "../helpers/effort.ts";
import {
  categoryUpserted,
  pageUpserted,
  productUpserted,
  settingsUpdated,
} from "../helpers/events.ts";
import { shopAtWork } from "../helpers/life.ts";
import { openModel } from "../helpers/model.ts";
import { append, isLiveAt, mustEqualReplay, startProjector } from "../helpers/projector.ts";
import { publishTo } from "../helpers/publish.ts";
import { childPid, type RunningVitrine, run, startVitrine, until } from "../helpers/vitrine.ts";
import { damage, damages, hideRows, page } from "./damage.ts";

const test = suite("a damaged model");
const times = amount(10);

const shop = [
  settingsUpdated(),
  ...[1, 2, 3].map((id) => categoryUpserted({ id })),
  ...[1, 2, 3].map((id) => pageUpserted({ id })),
  productUpserted({ id: 1_000, name: "Needlework" }),
];

const digestOf = async (generation: string): Promise<Digest> => {
  const store = openStore(generation, { readOnly: true });
  const digest = store.digest();
  await store.close();
  return digest;
};

test(`${times} damages of a file at rest: each is found, or has changed no row`, async () => {
  const model = openModel();
  model.apply(...shop, ...shopAtWork(100, 300));
  const good = model.digest();
  const home = temporaryDirectory();
  const chance = chanceOf("damage");
  let found = 0;
  for (let time = 0; time < times; time += 1) {
    const generation = join(home.path, String(time));
    const file = join(generation, "data.mdb");
    mkdirSync(generation);
    copyFileSync(join(model.store.directory, "data.mdb"), file);
    const what = damage(file, damages[time % damages.length] ?? "flipped", chance);
    const reason = await probeGeneration(generation, "whole");
    if (reason !== undefined) found += 1;
    else
      assert.equal(
        await digestOf(generation),
        good,
        `${what}: ${again("test/torture/damage.test.ts")}`,
      );
    reportDone(time + 1);
  }
  assert.ok(found > times / 2, `${found} of ${times} were found`);
  await model.close();
  home.remove();
});

test("lost names of tables are found by a quick probe; tables of other versions are not missed", async () => {
  const model = openModel();
  model.apply(...shop);
  const bytes = readFileSync(join(model.store.directory, "data.mdb"));
  const home = temporaryDirectory();
  const foundIn = async (name: string, changed: Buffer): Promise<string> => {
    const generation = join(home.path, name);
    mkdirSync(generation);
    writeFileSync(join(generation, "data.mdb"), changed);
    return (await probeGeneration(generation, "quick")) ?? "";
  };
  /** Renames a table on every page with the list of tables. */
  const renamed = (from: string, to: string, original = bytes): Buffer => {
    const changed = Buffer.from(original);
    for (let at = 0; ; at += 1) {
      at = changed.indexOf(from, at, "latin1");
      if (at === -1) return changed;
      changed.write(to, at, "latin1");
    }
  };
  assert.is(await foundIn("whole", bytes), "");
  assert.match(
    await foundIn("flipped", renamed("productCores", "productCorfs")),
    /list of tables.*productCores/,
  );
  assert.match(
    await foundIn("zeroed", renamed("stocks", "\0".repeat(6))),
    /list of tables.*stocks/,
  );
  assert.match(await foundIn("meta", renamed("meta", "metb")), /list of tables.*meta/);
  const checkpoint = model.store.get(tables.meta, "checkpoint");
  assert.ok(checkpoint);
  model.store.transaction((stored) =>
    stored.put(tables.meta, "checkpoint", { ...checkpoint, layout: modelLayout - 1 }),
  );
  const ofAnotherLayout = readFileSync(join(model.store.directory, "data.mdb"));
  assert.is(await foundIn("layout", renamed("productCores", "cores1234567", ofAnotherLayout)), "");
  const earlier = openEnvironment({
    path: join(home.path, "earlier"),
    readOnly: false,
    maxDbs: 64,
  });
  earlier.openDatabases(() => earlier.root.openDB({ name: "meta", encoding: "binary" }));
  await earlier.close();
  assert.is(await probeGeneration(join(home.path, "earlier"), "quick"), undefined);
  await model.close();
  home.remove();
});

test("rows that a page hides are found by a quick probe, and by reads of rows that refer to them", async () => {
  const { live } = await modelAtRest();
  // Only the product table has this text.
  assert.ok(hideRows(join(live, "data.mdb"), '"descriptionHash":') > 3);
  assert.match(
    (await probeGeneration(live, "quick")) ?? "",
    /"products" is damaged: \d+ of its 101 rows/,
  );
  const store = openStore(live, { readOnly: true });
  const reader = openReader(store);
  const asks: readonly ((snapshot: Snapshot) => unknown)[] = [
    (snapshot) => ids.map((id) => snapshot.product(id)),
    (snapshot) => snapshot.products({ first: 400, inStockOnly: true }),
    (snapshot) => categories.map((id) => snapshot.categoryProducts(id, { first: 400 })),
    (snapshot) => snapshot.listing({ sort: "name", limit: 400, offset: 0 }),
  ];
  const ids = Array.from({ length: 1_000 }, (_, at) => at + 1);
  const categories = reader.snapshot((snapshot) => snapshot.categories().map(({ id }) => id));
  for (const ask of asks) {
    clearFlag(live);
    assert.throws(() => reader.snapshot(ask), /which others name, is not there/);
    assert.match(readFlag(live)?.reason ?? "", "is not there");
  }
  await store.close();
});

test("hidden rows of any other table are found by a full probe", async () => {
  const { live } = await modelAtRest();
  // Only the page table has this text.
  assert.ok(hideRows(join(live, "data.mdb"), '"published":') > 0);
  assert.match((await probeGeneration(live, "whole")) ?? "", /"pages" is damaged: 2 of its 3 rows/);
});

interface AtRest {
  readonly dataDir: string;
  readonly live: string;
  /** Digest of a clean replay. */
  readonly good: Digest;
}

/** Creates a data directory with a journal and a cleanly closed model. */
const modelAtRest = (() => {
  let first: Promise<AtRest> | undefined;
  return async (): Promise<AtRest> => {
    first ??= makeModel();
    const { dataDir, good } = await first;
    const copy = join(temporaryDirectory().path, "data");
    copyWithUnmarkedModels(dataDir, copy);
    return { dataDir: copy, live: openDataDirectory(copy).live() ?? "", good };
  };
})();

/** Puts each product in a category, so that other rows refer to it. */
const inCategory = (event: CloudEvent): CloudEvent =>
  event.type === "shop.product.upserted"
    ? { ...event, data: Object.assign({}, event.data, { categoryIds: [1] }) }
    : event;

const makeModel = async (): Promise<AtRest> => {
  const dataDir = join(temporaryDirectory().path, "data");
  openDataDirectory(dataDir);
  const log = openJournal({ directory: join(dataDir, "journal"), now: Date.now });
  await append(log, ...shop, ...Array.from(shopAtWork(100, 300), inCategory));
  const projector = startProjector(dataDir, log);
  await projector.until(isLiveAt(shop.length + 300));
  await projector.stop();
  await log.close();
  const live = openDataDirectory(dataDir).live() ?? "";
  return { dataDir, live, good: await digestOf(live) };
};

const started = async (dataDir: string): Promise<RunningVitrine> => {
  const service = await startVitrine([], { dataDir });
  await service.ready();
  return service;
};

const nameOf = async (service: RunningVitrine): Promise<string | undefined> => {
  const { data } = await service.graphql<{ product: { product: { name: string } | null } }>(
    "{ product(id: 1000) { product { name } } }",
  );
  return data.product.product?.name;
};

/** The damaged generation is in quarantine, and the live one equals a clean replay. */
const checkRecovered = async (
  service: RunningVitrine,
  { dataDir, live, good }: AtRest,
): Promise<void> => {
  assert.is(await nameOf(service), "Needlework");
  const status = JSON.parse((await service.ops("/status")).text);
  assert.equal(status.quarantined, [basename(live)]);
  assert.match((await service.ops("/metrics")).text, /^vitrine_quarantined_generations 1$/m);
  assert.match(service.stderr(), "a generation is damaged and was set aside");
  await service.stop();
  assert.equal(await digestOf(openDataDirectory(dataDir).live() ?? ""), good);
};

const wreck: Readonly<Record<string, (file: string) => void>> = {
  "cut in half": (file) =>
    truncateSync(file, 4_096 * Math.floor(readFileSync(file).length / 8_192)),
  empty: (file) => truncateSync(file, 0),
  "zeroed at its beginning": (file) => writeFileSync(file, readFileSync(file).fill(0, 0, 8_192)),
};

for (const [how, wreckIt] of Object.entries(wreck)) {
  test(`a model whose file is ${how} is moved to quarantine and rebuilt, and no process dies`, async () => {
    const rest = await modelAtRest();
    wreckIt(join(rest.live, "data.mdb"));
    const service = await started(rest.dataDir);
    assert.not.match((await service.ops("/metrics")).text, /^vitrine_restarts_total\{.*\} [1-9]/m);
    await checkRecovered(service, rest);
  });
}

/** Offsets in LMDB's two meta pages: the root of the tree of free pages, and the commit. */
const meta = { root: 88, commit: 152 };

const freePages = (bytes: Buffer): number => {
  const [one, other] = [0, page].map((at) => bytes.readBigUInt64LE(at + meta.commit));
  const newest = (one ?? 0n) > (other ?? 0n) ? 0 : page;
  return page * Number(bytes.readBigUInt64LE(newest + meta.root));
};

test("damaged free pages, which no read finds, are found on write, and the model is rebuilt", async () => {
  const { dataDir, live } = await modelAtRest();
  const file = join(live, "data.mdb");
  const bytes = readFileSync(file);
  const at = freePages(bytes);
  writeFileSync(file, bytes.fill(0, at, at + page));
  assert.is(await probeGeneration(live, "whole"), undefined, "a full probe reads them");
  const service = await started(dataDir);
  await publishTo(dataDir, [productUpserted({ id: 1_000, name: "Needle" }, { time: later })]);
  await until(
    () => nameOf(service).catch(() => undefined),
    (name) => name === "Needle",
    60,
  );
  await service.ready();
  const status = JSON.parse((await service.ops("/status")).text);
  assert.equal(status.quarantined, [basename(live)]);
  await service.stop();
  const log = openJournal({ directory: join(dataDir, "journal"), now: Date.now });
  await mustEqualReplay(dataDir, log, (await log.bounds()).last);
  await log.close();
});

const later = "2027-01-01T00:00:00Z";

test("a projector that dies twice at one event gives up that file, though all of it can be read", async () => {
  // Also by assertions of LMDB.
  for (const death of ["projector was killed by SIGSEGV", "projector was killed by SIGABRT"]) {
    const { dataDir, live } = await modelAtRest();
    const context = {
      directory: openDataDirectory(dataDir),
      logger: createLogger("silent", "test"),
    };
    for (const [reason, kind] of [
      ["its projector ended without closing it", "unexpected"],
      [death, "writer-crash"],
      ["http-1 was killed by SIGBUS", "reader-crash"],
    ] as const) {
      flagForCheck(live, reason, kind);
      await quarantineDamaged(context);
      assert.equal(context.directory.quarantined(), [], reason);
    }
    flagForCheck(live, death, "writer-crash");
    await quarantineDamaged(context);
    assert.equal(context.directory.quarantined(), [basename(live)], death);
  }
});

test("two deaths at one event, hours apart, cause no quarantine", async () => {
  const { dataDir, live } = await modelAtRest();
  const context = { directory: openDataDirectory(dataDir), logger: createLogger("silent", "test") };
  const dies = (): Promise<void> => {
    flagForCheck(live, "projector was killed by SIGSEGV", "writer-crash");
    return quarantineDamaged(context);
  };
  await dies();
  const longAgo = Date.now() / 1_000 - 2 * 3_600;
  utimesSync(join(live, "survived"), longAgo, longAgo);
  await dies();
  assert.equal(context.directory.quarantined(), []);
  await dies();
  assert.equal(context.directory.quarantined(), [basename(live)]);
});

/** More products than a quick probe reads; it does not read the one of `unprobed`. */
const manyProducts = (): readonly CloudEvent[] =>
  Array.from({ length: 400 }, (_, at) => productUpserted({ id: 1 + at, name: `Needle ${1 + at}` }));
const unprobed = 253;

test("after a crash of the projector the full file is probed before the next write", async () => {
  const model = openModel();
  model.apply(...manyProducts());
  const dataDir = join(temporaryDirectory().path, "data");
  const directory = openDataDirectory(dataDir);
  const generation = directory.create();
  copyFileSync(join(model.store.directory, "data.mdb"), join(generation, "data.mdb"));
  directory.swap(generation);
  await model.close();
  const file = join(generation, "data.mdb");
  const bytes = readFileSync(file);
  const at = bytes.indexOf(`Needle ${unprobed}`);
  writeFileSync(file, bytes.fill("x", at, at + 3));
  const context = { directory, logger: createLogger("silent", "test") };
  await quarantineDamaged(context);
  assert.equal(directory.quarantined(), [], "a quick probe found it");
  flagForCheck(generation, "projector was killed by SIGSEGV", "writer-crash");
  await quarantineDamaged(context);
  assert.equal(directory.quarantined(), [basename(generation)]);
});

test("a first replay that is damaged is moved to quarantine and begun again, and no process dies", async () => {
  const dataDir = join(temporaryDirectory().path, "data");
  const directory = openDataDirectory(dataDir);
  const log = openJournal({ directory: join(dataDir, "journal"), now: Date.now });
  await append(log, settingsUpdated(), ...manyProducts());
  const projector = startProjector(dataDir, log);
  await projector.until(isLiveAt(401));
  await projector.stop();
  const first = directory.live() ?? "";
  rmSync(join(dataDir, "live"));
  const file = join(first, "data.mdb");
  writeFileSync(
    file,
    readFileSync(file, "latin1").replaceAll(`Needle ${unprobed}`, `Noodle ${unprobed}`),
    "latin1",
  );
  assert.is(await probeGeneration(first, "quick"), undefined, "a quick probe found it");
  await append(log, productUpserted({ id: unprobed, name: "Thread" }, { time: later }));
  await log.close();
  const service = await started(dataDir);
  assert.not.match((await service.ops("/metrics")).text, /^vitrine_restarts_total\{.*\} [1-9]/m);
  const status = JSON.parse((await service.ops("/status")).text);
  assert.equal(status.quarantined, [basename(first)]);
  await service.stop();
  const fullChain = openJournal({ directory: join(dataDir, "journal"), now: Date.now });
  await mustEqualReplay(dataDir, fullChain, 402);
  await fullChain.close();
});

test("a flipped bit fails one answer, and the next ones come from a new model", async () => {
  const rest = await modelAtRest();
  const file = join(rest.live, "data.mdb");
  const text = readFileSync(file).toString("latin1").replaceAll('"Needlework"', '"Meedlework"');
  writeFileSync(file, text, "latin1");
  const service = await started(rest.dataDir);
  await until(
    () => nameOf(service),
    (name) => name === "Needlework",
    60,
  );
  await checkRecovered(service, rest);
});

test("while a damaged generation is rebuilt, the previous one answers", async () => {
  const rest = await modelAtRest();
  const directory = openDataDirectory(rest.dataDir);
  const next = directory.create();
  cpSync(join(rest.live, "data.mdb"), join(next, "data.mdb"));
  directory.swap(next);
  truncateSync(join(next, "data.mdb"), 8_192);
  const answering = [next];
  const looking = setInterval(() => {
    const live = directory.live() ?? "none";
    if (live !== answering.at(-1)) answering.push(live);
  }, 5);
  const service = await startVitrine([], { dataDir: rest.dataDir });
  await until(
    () => nameOf(service),
    (name) => name === "Needlework",
  );
  await service.ready();
  clearInterval(looking);
  assert.equal(answering.slice(0, 2), [next, rest.live]);
  await checkRecovered(service, { ...rest, live: next });
});

test("a file that is truncated at runtime kills processes, and the service recovers within a minute", async () => {
  const rest = await modelAtRest();
  const service = await started(rest.dataDir);
  truncateSync(join(rest.live, "data.mdb"), 8_192);
  await until(
    async () => JSON.parse((await service.ops("/status")).text).quarantined.length,
    (quarantined) => {
      if (quarantined === 1) return true;
      void nameOf(service).catch(() => undefined);
      return false;
    },
    60,
  );
  await service.ready();
  await checkRecovered(service, rest);
});

/**
 * Waits for the projector: answers may be ready before it has opened the model, which it probes silently when
 * it is suspect.
 */
const projectorLive = async (service: RunningVitrine): Promise<void> => {
  await until(
    async () => JSON.parse((await service.ops("/status")).text),
    ({ state, quarantined }) => state === "live" && quarantined.length === 0,
    60,
  );
};

test("a model whose projector exited without closing it is probed in full, whatever ended it", async () => {
  const rest = await modelAtRest();
  assert.ok(hideRows(join(rest.live, "data.mdb"), '"published":') > 0);
  assert.is(await probeGeneration(rest.live, "quick"), undefined, "a quick probe found it");
  const service = await started(rest.dataDir);
  await projectorLive(service);
  const projector = await childPid(service, "vitrine projector");
  process.kill(projector, "SIGKILL");
  await until(
    async () => JSON.parse((await service.ops("/status")).text).quarantined.length,
    (quarantined) => quarantined === 1,
    60,
  );
  await service.ready();
  await checkRecovered(service, rest);
});

test("a model that an HTTP process was reading when a damage signal killed it is probed in full", async () => {
  const rest = await modelAtRest();
  const service = await started(rest.dataDir);
  await projectorLive(service);
  process.kill(await childPid(service, "vitrine http-1"), "SIGBUS");
  await until(
    async () => service.stderr(),
    (output) => /http-1 was killed by SIGBUS.*a generation is checked completely/.test(output),
    30,
  );
  await service.ready();
  assert.is(await nameOf(service), "Needlework");
  assert.equal(JSON.parse((await service.ops("/status")).text).quarantined, []);
  await service.stop();
});

const lives = 1 + Math.ceil(times / 10);
/** Maximum deaths of all processes until the service finds the damage. */
const mostDeaths = 4;

test(`${lives} damaged models left by a kill: each is probed in full, few processes die, and it recovers`, async () => {
  const chance = chanceOf("damage under a service");
  for (let life = 0; life < lives; life += 1) {
    const rest = await modelAtRest();
    const kind = damages[chance.below(damages.length)] ?? "flipped";
    const what = `${damage(join(rest.live, "data.mdb"), kind, chance)}: ${again("test/torture/damage.test.ts")}`;
    writeFileSync(join(rest.dataDir, "unclean"), "");
    const service = await started(rest.dataDir);
    // The model answers before the projector has flagged it.
    await until(
      async () => service.stderr(),
      (output) => /a generation is checked completely|was set aside/.test(output),
      60,
    );
    await until(
      async () => openDataDirectory(rest.dataDir).live(),
      (live) => live !== undefined && !existsSync(join(live, "suspect")),
      60,
    );
    await service.ready();
    assert.is(await nameOf(service), "Needlework", what);
    const { text } = await service.ops("/metrics");
    const deaths = [...text.matchAll(/^vitrine_restarts_total\{.*\} (\d+)$/gm)].map(([, count]) =>
      Number(count),
    );
    const all = deaths.reduce((sum, each) => sum + each, 0);
    assert.ok(all <= mostDeaths, `${all} processes died: ${what}`);
    assert.is((await service.stop()).code, 0, what);
    assert.equal(await digestOf(openDataDirectory(rest.dataDir).live() ?? ""), rest.good, what);
  }
});

test("a damaged journal is rejected with exit code 3 and left unchanged, because no copy exists", async () => {
  const { dataDir } = await modelAtRest();
  const file = join(dataDir, "journal", "data.mdb");
  truncateSync(file, 12_288);
  const before = readFileSync(file);
  const ports = ["--port", "0", "--ops-port", "0", "--data-dir", dataDir];
  for (const command of [
    ["serve", ...ports],
    ["status", "--data-dir", dataDir],
  ]) {
    const { code, stdout, stderr } = await run(command);
    assert.is(code, command[0] === "serve" ? 3 : 4);
    assert.match(stdout + stderr, /the journal \S+ is damaged/);
    assert.match(stdout + stderr, "restore it from a backup");
  }
  assert.equal(readFileSync(file), before);
});

test("a crash within the journal is reported as damage of the journal, and costs no model", async () => {
  const rest = await modelAtRest();
  const journal = join(rest.dataDir, "journal");
  await publishTo(
    rest.dataDir,
    Array.from({ length: 400 }, (_, at) =>
      productUpserted({ id: 5_000 + at, name: `Needle ${at}` }, { time: later }),
    ),
  );
  emptyPagesOf(join(journal, "data.mdb"), "Needle 200");
  const service = await startVitrine([], { dataDir: rest.dataDir });
  await until(
    () => service.ops("/readyz"),
    ({ text }) => /the journal \S+ is damaged/.test(text),
  );
  assert.is(await nameOf(service), "Needlework");
  const restarts = async () =>
    (await service.ops("/metrics")).text.match(/restarts_total\{process="projector"\} (\d+)/)?.[1];
  await until(restarts, (count) => Number(count) >= 4);
  const directory = openDataDirectory(rest.dataDir);
  assert.equal([directory.live(), directory.quarantined()], [rest.live, []]);
  assert.is(await nameOf(service), "Needlework");
  await service.stop();
  // The next start finds it suspect, follows nothing, and still reports the age of its answers.
  const next = await startVitrine([], { dataDir: rest.dataDir });
  const age = async () =>
    Number((await fetch(`${next.url}/llms.txt`)).headers.get("x-data-age") ?? Number.NaN);
  assert.ok((await until(age, (seconds) => seconds >= 0, 30)) >= 0);
  assert.match((await next.ops("/status")).text, '"generation":"0001"');
  await next.stop();
});

test("a damaged model is moved to quarantine while the log is unreachable", async () => {
  const { dataDir, live } = await modelAtRest();
  const service = await startVitrine(["--events", "nats://127.0.0.1:9"], { dataDir });
  await until(
    () => nameOf(service).catch(() => undefined),
    (name) => name === "Needlework",
  );
  flagForCheck(live, "a page of it", "corrupt");
  await until(
    () => service.ops("/readyz"),
    ({ text }) => text.includes("was damaged and is in quarantine"),
  );
  assert.equal(openDataDirectory(dataDir).quarantined(), [basename(live)]);
  await service.stop();
});

/** Zeroes each page of a file that contains a text: the page in use and older copies. */
const emptyPagesOf = (file: string, text: string): void => {
  const bytes = readFileSync(file);
  let emptied = 0;
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text)) {
    const start = at - (at % page);
    bytes.fill(0, start, start + page);
    emptied += 1;
  }
  assert.ok(emptied > 0, `${file} holds no ${text}`);
  writeFileSync(file, bytes);
};

test.run();
