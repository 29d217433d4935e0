import { existsSync, readdirSync, readFileSync, readlinkSync, truncateSync } from "node:fs";
import { basename, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openJournal } from "../../../../src/event-log/journal/index.ts";
import type { Comparison, StoredComparison } from "../../../../src/read-model/compare/compare.ts";
import { openDataDirectory } from "../../../../src/read-model/generations/data-directory.ts";
import { tables } from "../../../../src/read-model/schema/tables.ts";
import { openStore } from "../../../../src/read-model/store/store.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../../../helpers/directory.ts";
import { productUpserted, settingsUpdated, stockChanged } from "../../../helpers/events.ts";
import { shopAtWork } from "../../../helpers/life.ts";
import { append, isLiveAt, startProjector } from "../../../helpers/projector.ts";
import { runHere } from "../../../helpers/run-here.ts";
import { markTextData, otherTextData } from "../../../helpers/text-data.ts";
import { trimJournal } from "../../../helpers/trim-journal.ts";
import { childrenOf, type Run, run, start, startVitrine, until } from "../../../helpers/vitrine.ts";

interface RebuildContext {
  readonly home: TemporaryDirectory;
  readonly data: string;
}

const test = suite<RebuildContext>("rebuild and rollback");

test.before.each((context) => {
  const home = temporaryDirectory();
  Object.assign(context, { home, data: join(home.path, "data") });
});
test.after.each(({ home }) => home.remove());

const journalOf = (data: string) =>
  openJournal({ directory: join(data, "journal"), now: Date.now });

/** Creates a data directory with a journal and its model; no projector runs. */
const aModel = async (data: string, products = 5): Promise<void> => {
  openDataDirectory(data);
  const log = journalOf(data);
  await append(
    log,
    settingsUpdated(),
    ...Array.from({ length: products }, (_, at) => productUpserted({ id: at + 1 })),
    stockChanged(),
  );
  const projector = startProjector(data, log);
  await projector.until(isLiveAt(products + 2));
  await projector.stop();
  await log.close();
};

const linkOf = (data: string, link: string): string | undefined => {
  try {
    return basename(readlinkSync(join(data, link)));
  } catch {
    return undefined;
  }
};
const liveOf = (data: string): string => join(data, "generations", linkOf(data, "live") ?? "");
const json = (text: string) => JSON.parse(text);

/** Lists what a command left in a data directory. */
const remains = (data: string): readonly string[] => [
  ...(existsSync(join(data, "scratch")) ? readdirSync(join(data, "scratch")) : []),
  ...readdirSync(data).filter((name) => /^(building|\.building)|scratch\.lock/.test(name)),
];

/** Changes rows of the live generation directly, as a bug might. */
const tamper = async (data: string): Promise<void> => {
  const store = openStore(liveOf(data), { readOnly: false });
  store.transaction((stored) => {
    const product = stored.get(tables.products, 1);
    if (product) stored.put(tables.products, 1, { ...product, name: "Wrong" });
    stored.remove(tables.products, 2);
    stored.put(tables.inStock, 99, true);
  });
  await store.close();
};

test("rebuild replays, compares, swaps, and stores its report next to the new generation", async ({
  data,
}) => {
  await aModel(data);
  const { code, stdout, stderr } = await run(["rebuild", "--data-dir", data]);
  assert.is(code, 0, stderr);
  assert.match(stdout, /compared with the live generation at event 7: the same, \d+ tables/);
  assert.match(stdout, "generation 0002 is live; vitrine rollback goes back to 0001");
  assert.equal([linkOf(data, "live"), linkOf(data, "previous")], ["0002", "0001"]);
  const kept: StoredComparison = json(readFileSync(join(liveOf(data), "comparison.json"), "utf8"));
  assert.equal([kept.from, kept.isSame, kept.before.sequence], ["0001", true, 7]);
  assert.equal(kept.before.digest, kept.after.digest);
  assert.equal(remains(data), []);
});

test("a dry run lists changes row by row and field by field, and changes nothing", async ({
  data,
}) => {
  await aModel(data);
  await tamper(data);
  const { code, stdout } = await runHere(["rebuild", "--dry-run", "--data-dir", data]);
  assert.is(code, 0);
  assert.match(stdout, /2 tables of \d+ differ/);
  assert.match(stdout, /products +4 +5 +1 +0 +1\n/);
  assert.match(stdout, 'products 1 changed; name "Wrong" -> "Product 1"');
  assert.match(stdout, "products 2 added");
  assert.match(stdout, "inStock 99 removed");
  assert.match(stdout, "nothing was swapped");
  assert.equal([linkOf(data, "live"), linkOf(data, "previous")], ["0001", undefined]);
  assert.equal(remains(data), []);

  const result = json(
    (await runHere(["rebuild", "--dry-run", "--json", "--data-dir", data])).stdout,
  );
  const comparison: Comparison = result.comparison;
  assert.equal([result.swapped, comparison.isSame], [null, false]);
  const products = comparison.tables.find(({ table }) => table === "products");
  assert.equal(products?.first, [
    {
      key: 1,
      kind: "changed",
      isDamaged: false,
      fields: [{ path: "name", before: '"Wrong"', after: '"Product 1"' }],
    },
    { key: 2, kind: "added", isDamaged: false, fields: [] },
  ]);
});

test("while the service runs, its projector swaps; rollback goes back and forth", async ({
  data,
}) => {
  await aModel(data);
  const service = await startVitrine([], { dataDir: data });
  const name = async () =>
    (
      await service.graphql<{ product: { product: { name: string } } }>(
        "{ product(id: 1) { product { name } } }",
      )
    ).data.product.product.name;
  const rebuilt = json((await runHere(["rebuild", "--json", "--data-dir", data])).stdout);
  assert.equal(rebuilt.swapped, { generation: "0002", previous: "0001" });
  const log = journalOf(data);
  await append(log, productUpserted({ id: 1, name: "Renamed" }));
  await until(name, (shown) => shown === "Renamed");
  const back = await runHere(["rollback", "--data-dir", data]);
  assert.is(back.code, 0, back.stderr);
  assert.match(back.stdout, "generation 0001 is live again; 0002 is the previous one now");
  assert.is(await name(), "Renamed");
  await append(log, productUpserted({ id: 1, name: "Renamed again" }));
  await until(name, (shown) => shown === "Renamed again");
  assert.equal(json((await runHere(["rollback", "--json", "--data-dir", data])).stdout), {
    generation: "0002",
    previous: "0001",
  });
  assert.is(await name(), "Renamed again");
  await log.close();
  assert.is((await service.stop()).code, 0);
});

test("rollback is rejected with a hint without a previous generation, and to one off the log", async ({
  data,
}) => {
  await aModel(data);
  const none = await runHere(["rollback", "--data-dir", data]);
  assert.is(none.code, 3);
  assert.match(none.stderr, "there is no previous generation");
  assert.match(none.stderr, "vitrine rebuild");
  await runHere(["rebuild", "--data-dir", data]);
  const previous = openStore(join(data, "generations", "0001"), { readOnly: false });
  previous.transaction((stored) => {
    const checkpoint = stored.get(tables.meta, "checkpoint");
    if (checkpoint) stored.put(tables.meta, "checkpoint", { ...checkpoint, sequence: 100 });
  });
  await previous.close();
  const foreign = await runHere(["rollback", "--data-dir", data]);
  assert.is(foreign.code, 5);
  assert.match(foreign.stderr, "does not continue generation 0001");
  assert.is(linkOf(data, "live"), "0002");
});

test("rollback to a damaged generation is rejected each time, and the live one answers on", async ({
  data,
}) => {
  await aModel(data);
  await runHere(["rebuild", "--data-dir", data]);
  truncateSync(join(data, "generations", "0001", "data.mdb"), 12_288);
  const service = await startVitrine([], { dataDir: data });
  for (const _ of ["once", "again"]) {
    const { code, stderr } = await runHere(["rollback", "--data-dir", data]);
    assert.is(code, 3);
    assert.match(stderr, "the previous generation 0001 is damaged");
    assert.match(stderr, "vitrine rebuild");
  }
  const metrics = (await service.ops("/metrics")).text;
  assert.match(metrics, 'vitrine_restarts_total{process="projector"} 0');
  assert.is(linkOf(data, "live"), "0002");
  assert.is((await service.stop()).code, 0);
});

test("rollback to a generation of other projections is rejected: it would be rebuilt at once", async ({
  data,
}) => {
  await aModel(data);
  await runHere(["rebuild", "--data-dir", data]);
  const previous = openStore(join(data, "generations", "0001"), { readOnly: false });
  previous.transaction((stored) => {
    const checkpoint = stored.get(tables.meta, "checkpoint");
    if (!checkpoint) return;
    const projections = checkpoint.projections.replace(/search\.\d+/, "search.0");
    stored.put(tables.meta, "checkpoint", { ...checkpoint, projections });
  });
  await previous.close();
  const { code, stderr } = await runHere(["rollback", "--data-dir", data]);
  assert.is(code, 3);
  assert.match(stderr, "other versions of the projections (search.0)");
});

test("rollback to a generation with other text data is rejected; rebuild names it where rows differ", async ({
  data,
}) => {
  await aModel(data);
  await runHere(["rebuild", "--data-dir", data]);
  await markTextData(join(data, "generations", "0001"), otherTextData);
  const { code, stderr } = await runHere(["rollback", "--data-dir", data]);
  assert.is(code, 3);
  assert.match(stderr, /generation 0001 was made with other text data .*: icu 1\.0 → \d/);
  const store = openStore(liveOf(data), { readOnly: false });
  store.transaction((stored) => stored.put(tables.nameOrder, ["another key", 1], true));
  await store.close();
  await markTextData(liveOf(data), otherTextData);
  const rebuilt = await runHere(["rebuild", "--json", "--data-dir", data]);
  assert.is(rebuilt.code, 0, rebuilt.stderr);
  assert.match(
    JSON.parse(rebuilt.stdout).notes.join(),
    /made with other text data, .*: icu 1\.0 → /,
  );
});

test("too great a loss is rejected until it is accepted", async ({ data }) => {
  await aModel(data);
  const store = openStore(liveOf(data), { readOnly: false });
  store.transaction((stored) => stored.put(tables.counters, "products", 50));
  await store.close();
  const refused = await run(["rebuild", "--data-dir", data]);
  assert.is(refused.code, 5);
  assert.match(refused.stderr, "would leave 5 of 50 products");
  assert.match(refused.stderr, "--accept-loss");
  assert.equal([linkOf(data, "live"), remains(data)], ["0001", []]);
  assert.is((await runHere(["rebuild", "--accept-loss", "--data-dir", data])).code, 0);
  assert.is(linkOf(data, "live"), "0002");
});

test("rebuild of a trimmed log is rejected with a hint", async ({ data }) => {
  await aModel(data);
  await trimJournal(join(data, "journal"), 3);
  for (const command of [["rebuild"], ["verify"], ["rebuild", "--until-seq", "5"]]) {
    const { code, stderr } = await runHere([...command, "--data-dir", data]);
    assert.is(code, 5, stderr);
    assert.match(stderr, "its history was trimmed");
    assert.match(stderr, "publish its full state");
  }
  assert.equal([linkOf(data, "live"), remains(data)], ["0001", []]);
});

test("misuse is reported in one line, with the right exit code", async ({ data, home }) => {
  const misused = async (args: readonly string[], code: number, message: string) => {
    const ended = await runHere([...args, "--data-dir", data]);
    assert.is(ended.code, code, `${args.join(" ")}: ${ended.stderr}`);
    assert.match(ended.stderr, message);
  };
  await misused(["rebuild"], 3, "holds no read model yet");
  await misused(["rollback"], 3, "holds no read model yet");
  await misused(["verify"], 3, "holds no read model yet");
  await aModel(data);
  await misused(["rebuild", "--into", "x"], 2, "only with --until-seq");
  await misused(["rebuild", "--until-seq", "0"], 2, "whole number from 1");
  await misused(["rebuild", "--until-seq", "5", "--dry-run"], 2, "cannot be used with");
  await misused(["rebuild", "--until-time", "yesterday"], 2, "with its offset from UTC");
  await misused(["rebuild", "--until-seq", "99"], 2, "there is no event 99 yet");
  await misused(
    ["rebuild", "--until-time", "1999-01-01T00:00:00Z"],
    2,
    "had no event at that time",
  );
  const taken = join(data, "generations");
  await misused(["rebuild", "--until-seq", "5", "--into", taken], 3, "is not empty");
  await misused(["rebuild", "--until-seq", "5", "--into", data], 3, "holds a model already");
  assert.equal(readdirSync(home.path), ["data"]);
});

test("the help of each command has an example", async () => {
  for (const command of ["rebuild", "rollback", "verify"]) {
    const { code, stdout } = await runHere([command, "--help"]);
    assert.is(code, 0);
    assert.match(stdout, `$ vitrine ${command}`);
  }
});

const readBuilding = (data: string) => json(readFileSync(join(data, "building.json"), "utf8"));

/** Runs a command, and sends a signal to its comparison worker when the replay has read so many events. */
const meddled = async (
  command: string,
  data: string,
  signal: NodeJS.Signals,
  readEvents: number,
): Promise<Run> => {
  const running = start([command, "--data-dir", data]);
  const comparing = async (): Promise<number> => {
    assert.ok(readBuilding(data).at >= readEvents);
    const children = [...(await childrenOf(running.child.pid ?? 0))];
    const [found] = children.filter(([title]) => title.includes("comparison-worker"));
    if (!found) throw new Error(JSON.stringify(children));
    return found[1];
  };
  process.kill(await until(comparing, (pid) => pid > 0), signal);
  return running.ended;
};

test("a killed comparison worker fails the command; a damage signal keeps the guard against loss", async ({
  data,
}) => {
  const events = 5_000;
  openDataDirectory(data);
  const log = journalOf(data);
  await append(log, ...shopAtWork(1_200, events));
  const projector = startProjector(data, log);
  await projector.until(isLiveAt(events));
  await projector.stop();
  await log.close();
  const store = openStore(liveOf(data), { readOnly: false });
  store.transaction((stored) => stored.put(tables.counters, "products", 50_000));
  await store.close();
  for (const command of ["verify", "rebuild"]) {
    const { code, stderr } = await meddled(command, data, "SIGKILL", 0);
    assert.is(code, 3, stderr);
    assert.match(stderr, "generation 0001 could not be compared");
    assert.match(stderr, "SIGKILL");
  }
  const damaged = await meddled("rebuild", data, "SIGBUS", 1);
  assert.is(damaged.code, 5, damaged.stderr);
  assert.match(damaged.stderr, "of 50000 products");
  assert.equal(
    [linkOf(data, "live"), remains(data), openDataDirectory(data).quarantined()],
    ["0001", [], []],
  );
});

test("Ctrl-C ends a rebuild with 130 and leaves nothing; the next command sweeps a killed one", async ({
  data,
}) => {
  await aModel(data);
  const log = journalOf(data);
  await append(log, ...shopAtWork(1_000, 3_000));
  await log.close();
  const building = () => {
    const [name] = readdirSync(join(data, "scratch"));
    const progress = json(readFileSync(join(data, "building.json"), "utf8"));
    return Promise.resolve({ name, progress });
  };
  const interrupted = start(["rebuild", "--data-dir", data]);
  const { progress } = await until(building, ({ name }) => name !== undefined, 60, 20);
  assert.equal(
    [progress.doing, progress.pid, progress.of],
    ["rebuild", interrupted.child.pid, 3_007],
  );
  interrupted.child.kill("SIGINT");
  const ended = await interrupted.ended;
  assert.is(ended.code, 130, ended.stderr);
  assert.match(ended.stderr, "interrupted");
  assert.equal([linkOf(data, "live"), remains(data)], ["0001", []]);

  const killed = start(["rebuild", "--data-dir", data]);
  const { name } = await until(building, ({ name }) => name !== undefined);
  // It would end before the other command begins.
  killed.child.kill("SIGSTOP");
  const second = await runHere(["verify", "--data-dir", data]);
  assert.is(second.code, 3, second.stderr);
  assert.match(second.stderr, `vitrine rebuild (process ${killed.child.pid}) already builds`);
  killed.child.kill("SIGKILL");
  await killed.ended;
  assert.ok(existsSync(join(data, "scratch", name ?? "")));
  const next = await runHere(["rebuild", "--data-dir", data]);
  assert.is(next.code, 0, next.stderr);
  assert.equal([linkOf(data, "live"), remains(data)], ["0002", []]);
});

test("rebuild completes although its output is closed", async ({ data }) => {
  await aModel(data);
  const rebuilding = start(["rebuild", "--data-dir", data]);
  rebuilding.child.stdout?.destroy();
  const { code, stderr } = await rebuilding.ended;
  assert.is(code, 0, stderr);
  assert.equal([linkOf(data, "live"), linkOf(data, "previous")], ["0002", "0001"]);
});

test.run();
