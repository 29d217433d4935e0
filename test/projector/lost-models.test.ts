import { rmSync } from "node:fs";
import type { Key } from "lmdb";
import * as assert from "uvu/assert";
import { openEnvironment } from "../../src/lmdb/environment.ts";
import { createLogger } from "../../src/log.ts";
import { sendRequest } from "../../src/projector/control/client.ts";
import { quarantineDamaged } from "../../src/projector/integrity/integrity-guard.ts";
import { createGeneration } from "../../src/projector/open-generation.ts";
import { openDataDirectory } from "../../src/read-model/generations/data-directory.ts";
import { corruptPrefix, flagForCheck } from "../../src/read-model/store/damage-flag.ts";
import { tables } from "../../src/read-model/schema/tables.ts";
import { openStore } from "../../src/read-model/store/store.ts";
import { productUpserted, tokenRevoked } from "../helpers/events.ts";
import { append, isLiveAt, startProjector, type TestProjector } from "../helpers/projector.ts";
import { open, products, suiteOfJournal, type World } from "./journal-suite.ts";

const test = suiteOfJournal("revocations and discards when a model is lost");
const silent = createLogger("silent", "test");
const refused = productUpserted({ id: 9, name: 5 as never });

const isRevoked = (projector: TestProjector) =>
  projector.read((moment) => moment.agent("watcher")?.revoked);

/** Puts a log in place of the one there is that tells of five products, and of no token. */
const replaceLog = async (world: World): Promise<void> => {
  await world.log.close();
  rmSync(world.journal, { recursive: true });
  world.log = open(world.journal);
  await append(world.log, ...products(5));
};

/** Runs a projector until its model is that of the log's first five events. */
const followed = async ({ data, log }: World): Promise<TestProjector> => {
  const projector = startProjector(data, log);
  await projector.until(isLiveAt(5));
  return projector;
};

/** A live model of a log that tells of no token, after one that revoked the tokens of `watcher`. */
const afterRevocation = async (world: World): Promise<string> => {
  await append(world.log, tokenRevoked("watcher"), ...products(4));
  await (await followed(world)).stop();
  await replaceLog(world);
  const next = await followed(world);
  assert.is(await isRevoked(next), true);
  await next.stop();
  return next.directory.live() ?? "";
};

/** Writes a row that is not what its checksum says into a table that a comparison reads through. */
const damageRow = async (generation: string): Promise<void> => {
  const env = openEnvironment<Buffer, Key>({
    path: generation,
    readOnly: false,
    maxDbs: 64,
    encoding: "binary",
  });
  const database = env.openDatabases(() =>
    env.root.openDB<Buffer, Key>({ name: tables.changeLog.name, encoding: "binary" }),
  );
  env.write(() => database.putSync(1, Buffer.from("damaged")));
  await env.close();
};

test("a token stays revoked through a rebuild beside a damaged model", async (world) => {
  await damageRow(await afterRevocation(world));
  await replaceLog(world);
  const next = await followed(world);
  assert.is(next.directory.generations().length, 2);
  assert.is(await isRevoked(next), true);
  await next.stop();
});

test("a token stays revoked when every model is damaged", async (world) => {
  await afterRevocation(world);
  const directory = openDataDirectory(world.data);
  for (const generation of directory.generations())
    flagForCheck(generation, `${corruptPrefix}by the test`);
  await quarantineDamaged({ directory, logger: silent });
  assert.is(directory.resumable(), undefined);
  const next = await followed(world);
  assert.is(await isRevoked(next), true);
  await next.stop();
});

test("a token stays revoked when the first replay is cut off as it begins again", async (world) => {
  await append(world.log, tokenRevoked("watcher"), ...products(9_200));
  const first = startProjector(world.data, world.log, { onBatch: () => void first.stop() });
  await first.until(({ checkpoint }) => checkpoint > 0);
  await first.stop();
  assert.is(first.directory.live(), undefined);
  await replaceLog(world);
  // What the crash leaves: the model that was begun, still empty, beside the one it follows.
  await createGeneration(first.directory).store.close();
  const next = await followed(world);
  assert.is(next.directory.generations().length, 1);
  assert.is(await isRevoked(next), true);
  await next.stop();
});

/** Refused events that are not discarded, as the projector counts them; it does so every two seconds. */
const untilOpen = async (projector: TestProjector, count: number): Promise<void> => {
  await projector.until(({ counts }) => counts?.deadLetters === count, 10);
};

/** A live model with one dead letter, which was discarded. */
const afterDiscard = async ({ data, log }: World): Promise<string> => {
  await append(log, ...products(4), refused);
  const projector = startProjector(data, log);
  await projector.until(isLiveAt(5));
  await untilOpen(projector, 1);
  const order = { kind: "discard", sequences: [5] } as const;
  await sendRequest(
    data,
    order,
    async () => true,
    new AbortController().signal,
    () => undefined,
  );
  await untilOpen(projector, 0);
  await projector.stop();
  return projector.directory.live() ?? "";
};

test("a letter stays discarded through a rebuild beside a damaged model", async (world) => {
  const live = await afterDiscard(world);
  await damageRow(live);
  const store = openStore(live, { readOnly: false });
  store.transaction((stored) => {
    const checkpoint = stored.get(tables.meta, "checkpoint");
    assert.ok(checkpoint);
    stored.put(tables.meta, "checkpoint", { ...checkpoint, projections: "product.0" });
  });
  await store.close();
  const next = await followed(world);
  assert.is(next.directory.generations().length, 2);
  await next.stop();
  // The next projector has counted no other model.
  const last = await followed(world);
  await untilOpen(last, 0);
  await last.stop();
});

test("a letter stays discarded when every model is damaged", async (world) => {
  await afterDiscard(world);
  const directory = openDataDirectory(world.data);
  for (const generation of directory.generations())
    flagForCheck(generation, `${corruptPrefix}by the test`);
  await quarantineDamaged({ directory, logger: silent });
  const next = await followed(world);
  await untilOpen(next, 0);
  await next.stop();
});

test("a refused event of another log at the same sequence is open", async (world) => {
  await afterDiscard(world);
  await world.log.close();
  rmSync(world.journal, { recursive: true });
  world.log = open(world.journal);
  await append(world.log, ...products(4), refused);
  const next = await followed(world);
  await untilOpen(next, 1);
  await next.stop();
});

test.run();
