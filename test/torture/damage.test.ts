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
import { quarantineDamaged } from "../../src/projector/integrity/integrity-guard.ts";
import { openDataDirectory } from "../../src/read-model/generations/data-directory.ts";
import { clearFlag, flagForCheck, readFlag } from "../../src/read-model/store/damage-flag.ts";
import { probeGeneration } from "../../src/read-model/integrity/probe.ts";
import { openReader } from "../../src/read-model/reader/open-reader.ts";
import type { Snapshot } from "../../src/read-model/reader/reader.ts";
import { type Digest, openStore } from "../../src/read-model/store/store.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import {
  categoryUpserted,
  pageUpserted,
  productUpserted,
  settingsUpdated,
} from "../helpers/events.ts";
import { shopAtWork } from "../helpers/life.ts";
import { openModel } from "../helpers/model.ts";
import { append, isLiveAt, mustEqualReplay, startProjector } from "../helpers/projector.ts";
import { childrenOf, type RunningVitrine, run, startVitrine, until } from "../helpers/vitrine.ts";
import { damage, damages, hideRows, page } from "./damage.ts";
import { again, amount, chanceOf, tellDone } from "./effort.ts";

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
  model.apply(...shop, ...shopAtWork(300, 1_000));
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
    tellDone(time + 1);
  }
  assert.ok(found > times / 2, `${found} of ${times} were found`);
  await model.close();
  home.remove();
});

test("tables whose names are lost are found, by a quick look too; those an earlier version did not know are not missed", async () => {
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
  /** As the name stands on every page that holds the list of tables. */
  const renamed = (from: string, to: string): Buffer => {
    const changed = Buffer.from(bytes);
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

test("rows that a page hides are found by a quick look, and by whoever is told of them elsewhere", async () => {
  const { live } = await modelAtRest();
  // Of all tables only that of the products says how it stands with their stock.
  assert.ok(hideRows(join(live, "data.mdb"), '"availability":') > 3);
  assert.match(
    (await probeGeneration(live, "quick")) ?? "",
    /"products" is damaged: \d+ of its 301 rows/,
  );
  const store = openStore(live, { readOnly: true });
  const reader = openReader(store);
  const asks: readonly ((moment: Snapshot) => unknown)[] = [
    (moment) => ids.map((id) => moment.product(id)),
    (moment) => ids.map((id) => moment.productDetail(id)),
    (moment) => ids.map((id) => moment.rawProducts?.()?.product(id)),
    (moment) => moment.products({ first: 400, inStockOnly: true }),
    (moment) => moment.rawProducts?.()?.products({ first: 400, inStockOnly: true }),
    (moment) => categories.map((id) => moment.categoryProducts(id, { first: 400 })),
    (moment) => moment.listing({ sort: "name", limit: 400, offset: 0 }),
  ];
  const ids = Array.from({ length: 1_000 }, (_, at) => at + 1);
  const categories = reader.snapshot((moment) => moment.categories().map(({ id }) => id));
  for (const ask of asks) {
    clearFlag(live);
    assert.throws(() => reader.snapshot(ask), /which others name, is not there/);
    assert.match(readFlag(live) ?? "", "is not there");
  }
  await store.close();
});

test("rows that a page of any other table hides are found by a look at the whole", async () => {
  const { live } = await modelAtRest();
  // Of all tables only that of the pages says what is published.
  assert.ok(hideRows(join(live, "data.mdb"), '"published":') > 0);
  assert.match((await probeGeneration(live, "whole")) ?? "", /"pages" is damaged: 2 of its 3 rows/);
});

interface AtRest {
  readonly dataDir: string;
  readonly live: string;
  /** What a clean replay gives. */
  readonly good: Digest;
}

/** A data directory of its own, with a journal and a model that was closed cleanly. */
const modelAtRest = (() => {
  let first: Promise<AtRest> | undefined;
  return async (): Promise<AtRest> => {
    first ??= makeModel();
    const { dataDir, good } = await first;
    const copy = join(temporaryDirectory().path, "data");
    cpSync(dataDir, copy, { recursive: true, verbatimSymlinks: true });
    return { dataDir: copy, live: openDataDirectory(copy).live() ?? "", good };
  };
})();

/** So that something else names every product. */
const inCategory = (event: CloudEvent): CloudEvent =>
  event.type === "shop.product.upserted"
    ? { ...event, data: Object.assign({}, event.data, { categoryIds: [1] }) }
    : event;

const makeModel = async (): Promise<AtRest> => {
  const dataDir = join(temporaryDirectory().path, "data");
  openDataDirectory(dataDir);
  const log = openJournal({ directory: join(dataDir, "journal"), now: Date.now });
  await append(log, ...shop, ...Array.from(shopAtWork(300, 1_000), inCategory));
  const projector = startProjector(dataDir, log);
  await projector.until(isLiveAt(shop.length + 1_000));
  await projector.stop();
  await log.close();
  const live = openDataDirectory(dataDir).live() ?? "";
  return { dataDir, live, good: await digestOf(live) };
};

const started = async (dataDir: string): Promise<RunningVitrine> => {
  const service = await startVitrine([], { dataDir });
  await ready(service);
  return service;
};

const ready = (service: RunningVitrine) =>
  until(
    () => service.ops("/readyz"),
    ({ status }) => status === 200,
    60,
  );

const nameOf = async (service: RunningVitrine): Promise<string | undefined> => {
  const { data } = await service.graphql<{ product: { product: { name: string } | null } }>(
    "{ product(id: 1000) { product { name } } }",
  );
  return data.product.product?.name;
};

/** The damaged generation is in quarantine, and what answers is what a clean replay gives. */
const isWhole = async (service: RunningVitrine, { dataDir, live, good }: AtRest): Promise<void> => {
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
  test(`a model whose file is ${how} is set aside and made anew, and no process dies`, async () => {
    const rest = await modelAtRest();
    wreckIt(join(rest.live, "data.mdb"));
    const service = await started(rest.dataDir);
    assert.not.match((await service.ops("/metrics")).text, /^vitrine_restarts_total\{.*\} [1-9]/m);
    await isWhole(service, rest);
  });
}

/** Where LMDB's two first pages say that the tree of free pages begins, and which commit they are of. */
const meta = { root: 88, commit: 152 };

const freePages = (bytes: Buffer): number => {
  const [one, other] = [0, page].map((at) => bytes.readBigUInt64LE(at + meta.commit));
  const newest = (one ?? 0n) > (other ?? 0n) ? 0 : page;
  return page * Number(bytes.readBigUInt64LE(newest + meta.root));
};

test("free pages that are damaged, which nobody reads, are found when they are to be written: the model is made anew", async () => {
  const { dataDir, live } = await modelAtRest();
  const file = join(live, "data.mdb");
  const bytes = readFileSync(file);
  const at = freePages(bytes);
  writeFileSync(file, bytes.fill(0, at, at + page));
  assert.is(await probeGeneration(live, "whole"), undefined, "somebody reads them");
  const service = await started(dataDir);
  const event = JSON.stringify(productUpserted({ id: 1_000, name: "Needle" }, { time: later }));
  const told = await run(["publish", "--data-dir", dataDir, "-"], { input: event });
  assert.is(told.code, 0, told.stderr);
  await until(
    () => nameOf(service).catch(() => undefined),
    (name) => name === "Needle",
    60,
  );
  await ready(service);
  const status = JSON.parse((await service.ops("/status")).text);
  assert.equal(status.quarantined, [basename(live)]);
  await service.stop();
  const log = openJournal({ directory: join(dataDir, "journal"), now: Date.now });
  await mustEqualReplay(dataDir, log, (await log.bounds()).last);
  await log.close();
});

const later = "2027-01-01T00:00:00Z";

test("a projector that dies twice at one event does not go on with that file, though all of it can be read", async () => {
  // By LMDB's own assertions, too.
  for (const death of ["projector was killed by SIGSEGV", "projector was killed by SIGABRT"]) {
    const { dataDir, live } = await modelAtRest();
    const world = { directory: openDataDirectory(dataDir), logger: createLogger("silent", "test") };
    const others = ["projector was killed by SIGKILL", "http-1 was killed by SIGBUS"] as const;
    for (const reason of [others[0], death, others[1]]) {
      flagForCheck(live, reason);
      await quarantineDamaged(world);
      assert.equal(world.directory.quarantined(), [], reason);
    }
    flagForCheck(live, death);
    await quarantineDamaged(world);
    assert.equal(world.directory.quarantined(), [basename(live)], death);
  }
});

test("two deaths at one event, hours apart, set nothing aside", async () => {
  const { dataDir, live } = await modelAtRest();
  const world = { directory: openDataDirectory(dataDir), logger: createLogger("silent", "test") };
  const dies = (): Promise<void> => {
    flagForCheck(live, "projector was killed by SIGSEGV");
    return quarantineDamaged(world);
  };
  await dies();
  const longAgo = Date.now() / 1_000 - 2 * 3_600;
  utimesSync(join(live, "survived"), longAgo, longAgo);
  await dies();
  assert.equal(world.directory.quarantined(), []);
  await dies();
  assert.equal(world.directory.quarantined(), [basename(live)]);
});

test("what killed a projector is looked for in all of the file before it writes again", async () => {
  const model = openModel();
  model.apply(
    ...Array.from({ length: 3_000 }, (_, at) =>
      productUpserted({ id: 1 + at, name: `Needle ${1 + at}` }),
    ),
  );
  const dataDir = join(temporaryDirectory().path, "data");
  const directory = openDataDirectory(dataDir);
  const generation = directory.create();
  copyFileSync(join(model.store.directory, "data.mdb"), join(generation, "data.mdb"));
  directory.swap(generation);
  await model.close();
  const file = join(generation, "data.mdb");
  const bytes = readFileSync(file);
  const at = bytes.indexOf("Needle 1700");
  writeFileSync(file, bytes.fill("x", at, at + 3));
  const world = { directory, logger: createLogger("silent", "test") };
  await quarantineDamaged(world);
  assert.equal(directory.quarantined(), [], "a quick look found it");
  flagForCheck(generation, "projector was killed by SIGSEGV");
  await quarantineDamaged(world);
  assert.equal(directory.quarantined(), [basename(generation)]);
});

test("a first replay that is damaged on its way is set aside and begun again, and no process dies", async () => {
  const dataDir = join(temporaryDirectory().path, "data");
  const directory = openDataDirectory(dataDir);
  const log = openJournal({ directory: join(dataDir, "journal"), now: Date.now });
  const products = Array.from({ length: 3_000 }, (_, at) =>
    productUpserted({ id: 1 + at, name: `Needle ${1 + at}` }),
  );
  await append(log, settingsUpdated(), ...products);
  const projector = startProjector(dataDir, log);
  await projector.until(isLiveAt(3_001));
  await projector.stop();
  const first = directory.live() ?? "";
  rmSync(join(dataDir, "live"));
  const file = join(first, "data.mdb");
  writeFileSync(
    file,
    readFileSync(file, "latin1").replaceAll("Needle 1700", "Noodle 1700"),
    "latin1",
  );
  assert.is(await probeGeneration(first, "quick"), undefined, "a quick look found it");
  await append(log, productUpserted({ id: 1_700, name: "Thread" }, { time: later }));
  await log.close();
  const service = await started(dataDir);
  assert.not.match((await service.ops("/metrics")).text, /^vitrine_restarts_total\{.*\} [1-9]/m);
  const status = JSON.parse((await service.ops("/status")).text);
  assert.equal(status.quarantined, [basename(first)]);
  await service.stop();
  const whole = openJournal({ directory: join(dataDir, "journal"), now: Date.now });
  await mustEqualReplay(dataDir, whole, 3_002);
  await whole.close();
});

test("a flipped bit is found when its record is read: that one answer tells of it, the next ones come from a new model", async () => {
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
  await isWhole(service, rest);
});

test("while the damaged one is made anew, the generation before it answers", async () => {
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
  await ready(service);
  clearInterval(looking);
  assert.equal(answering.slice(0, 2), [next, rest.live]);
  await isWhole(service, { ...rest, live: next });
});

test("a file that is cut while the service runs: processes die, and within a minute all is as it was", async () => {
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
  await ready(service);
  await isWhole(service, rest);
});

/** Answers may be ready before the projector has opened the model, which it reads in silence where it is suspected by then. */
const projectorLive = async (service: RunningVitrine): Promise<void> => {
  await until(
    async () => JSON.parse((await service.ops("/status")).text),
    ({ state, quarantined }) => state === "live" && quarantined.length === 0,
    60,
  );
};

test("a model whose projector ended without closing it is read through, whatever ended it", async () => {
  const rest = await modelAtRest();
  assert.ok(hideRows(join(rest.live, "data.mdb"), '"published":') > 0);
  assert.is(await probeGeneration(rest.live, "quick"), undefined, "a quick look found it");
  const service = await started(rest.dataDir);
  await projectorLive(service);
  const projector = (await childrenOf(service.child.pid ?? 0)).get("vitrine projector") ?? 0;
  process.kill(projector, "SIGKILL");
  await until(
    async () => JSON.parse((await service.ops("/status")).text).quarantined.length,
    (quarantined) => quarantined === 1,
    60,
  );
  await ready(service);
  await isWhole(service, rest);
});

test("what an HTTP process was reading when it died by such a signal is read through", async () => {
  const rest = await modelAtRest();
  const service = await started(rest.dataDir);
  await projectorLive(service);
  process.kill((await childrenOf(service.child.pid ?? 0)).get("vitrine http-1") ?? 0, "SIGBUS");
  await until(
    async () => service.stderr(),
    (said) => /http-1 was killed by SIGBUS.*a generation is read through/.test(said),
    30,
  );
  await ready(service);
  assert.is(await nameOf(service), "Needlework");
  assert.equal(JSON.parse((await service.ops("/status")).text).quarantined, []);
  await service.stop();
});

const lives = 1 + Math.ceil(times / 10);
/** Of all processes of a service, until it has found out what they die of. */
const mostDeaths = 4;

test(`${lives} models that are damaged somewhere and were left by a kill: each is read through, few processes die, and it is as it was`, async () => {
  const chance = chanceOf("damage under a service");
  for (let life = 0; life < lives; life += 1) {
    const rest = await modelAtRest();
    const kind = damages[chance.below(damages.length)] ?? "flipped";
    const what = `${damage(join(rest.live, "data.mdb"), kind, chance)}: ${again("test/torture/damage.test.ts")}`;
    writeFileSync(join(rest.dataDir, "unclean"), "");
    const service = await started(rest.dataDir);
    await until(
      async () => openDataDirectory(rest.dataDir).live(),
      (live) => live !== undefined && !existsSync(join(live, "suspect")),
      60,
    );
    await ready(service);
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

test("a damaged journal is refused with exit code 3, and left as it is: nothing else holds its events", async () => {
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

test("a page in the midst of a journal that ends whoever reads it is told as the journal's damage, and costs no model", async () => {
  const rest = await modelAtRest();
  const journal = join(rest.dataDir, "journal");
  const log = openJournal({ directory: journal, now: Date.now });
  await append(
    log,
    ...Array.from({ length: 1_000 }, (_, at) =>
      productUpserted({ id: 5_000 + at, name: `Needle ${at}` }, { time: later }),
    ),
  );
  await log.close();
  emptyPagesOf(join(journal, "data.mdb"), "Needle 500");
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
  // The next one finds it suspected, follows nothing, and still tells how old its answers are.
  const next = await startVitrine([], { dataDir: rest.dataDir });
  const age = async () =>
    Number((await fetch(`${next.url}/llms.txt`)).headers.get("x-data-age") ?? Number.NaN);
  assert.ok((await until(age, (seconds) => seconds >= 0, 30)) >= 0);
  assert.match((await next.ops("/status")).text, '"generation":"0001"');
  await next.stop();
});

test("a model that is damaged is set aside while the log cannot be reached, too", async () => {
  const { dataDir, live } = await modelAtRest();
  const service = await startVitrine(["--events", "nats://127.0.0.1:9"], { dataDir });
  await until(
    () => nameOf(service).catch(() => undefined),
    (name) => name === "Needlework",
  );
  flagForCheck(live, "damaged: a page of it");
  await until(
    () => service.ops("/readyz"),
    ({ text }) => text.includes("was damaged and is in quarantine"),
  );
  assert.equal(openDataDirectory(dataDir).quarantined(), [basename(live)]);
  await service.stop();
});

/** Zeroes each page of a file that holds a text: the one in use, and those that LMDB left for a newer one. */
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
