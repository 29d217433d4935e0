import { rmSync } from "node:fs";
import type { Key } from "lmdb";
import * as assert from "uvu/assert";
import { openEnvironment } from "../../src/lmdb/environment.ts";
import { createLogger } from "../../src/log.ts";
import { sendRequest } from "../../src/projector/control/client.ts";
import { quarantineDamaged } from "../../src/projector/integrity/quarantine.ts";
import { createGeneration } from "../../src/projector/open-generation.ts";
import { openDataDirectory } from "../../src/read-model/generations/data-directory.ts";
import { tables } from "../../src/read-model/schema/tables.ts";
import { flagForCheck } from "../../src/read-model/store/damage-flag.ts";
import { openStore } from "../../src/read-model/store/store.ts";
import { productUpserted, tokenRevoked } from "../helpers/events.ts";
import { append, isLiveAt, startProjector, type TestProjector } from "../helpers/projector.ts";
import { type JournalContext, open, products, suiteOfJournal } from "./journal-suite.ts";

const test = suiteOfJournal("revocations and discards when a model is lost");
const silent = createLogger("silent", "test");
const refused = productUpserted({ id: 9, name: 5 as never });

const isRevoked = (projector: TestProjector) =>
  projector.read((snapshot) => snapshot.agent("watcher")?.revoked);

/** Replaces the log by one with five products and no token event. */
const replaceLog = async (context: JournalContext): Promise<void> => {
  await context.log.close();
  rmSync(context.journal, { recursive: true });
  context.log = open(context.journal);
  await append(context.log, ...products(5));
};

/** Runs a projector until its model has the first five events of the log. */
const followed = async ({ data, log }: JournalContext): Promise<TestProjector> => {
  const projector = startProjector(data, log);
  await projector.until(isLiveAt(5));
  return projector;
};

/** A live model of a log without token events, after one that revoked the tokens of `watcher`. */
const afterRevocation = async (context: JournalContext): Promise<string> => {
  await append(context.log, tokenRevoked("watcher"), ...products(4));
  await (await followed(context)).stop();
  await replaceLog(context);
  const next = await followed(context);
  assert.is(await isRevoked(next), true);
  await next.stop();
  return next.directory.live() ?? "";
};

/** Writes a row with a wrong checksum into a table that a comparison reads completely. */
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

test("a token stays revoked through a rebuild next to a damaged model", async (context) => {
  await damageRow(await afterRevocation(context));
  await replaceLog(context);
  const next = await followed(context);
  assert.is(next.directory.generations().length, 2);
  assert.is(await isRevoked(next), true);
  await next.stop();
});

test("a token stays revoked when every model is damaged", async (context) => {
  await afterRevocation(context);
  const directory = openDataDirectory(context.data);
  for (const generation of directory.generations())
    flagForCheck(generation, "by the test", "corrupt");
  await quarantineDamaged({ directory, logger: silent });
  assert.is(directory.resumable(), undefined);
  const next = await followed(context);
  assert.is(await isRevoked(next), true);
  await next.stop();
});

test("a token stays revoked when a first replay is interrupted as it begins again", async (context) => {
  await append(context.log, tokenRevoked("watcher"), ...products(9_200));
  const first = startProjector(context.data, context.log, { onBatch: () => void first.stop() });
  await first.until(({ checkpoint }) => checkpoint > 0);
  await first.stop();
  assert.is(first.directory.live(), undefined);
  await replaceLog(context);
  // What the crash leaves: a new, empty model next to the one it replaces.
  await createGeneration(first.directory).store.close();
  const next = await followed(context);
  assert.is(next.directory.generations().length, 1);
  assert.is(await isRevoked(next), true);
  await next.stop();
});

/**
 * Waits for the number of dead letters that are not discarded; the projector counts them every two seconds.
 */
const untilOpen = async (projector: TestProjector, count: number): Promise<void> => {
  await projector.until(({ counts }) => counts?.deadLetters === count, 10);
};

/** A live model with one discarded dead letter. */
const afterDiscard = async ({ data, log }: JournalContext): Promise<string> => {
  await append(log, ...products(4), refused);
  const projector = startProjector(data, log);
  await projector.until(isLiveAt(5));
  await untilOpen(projector, 1);
  const request = { kind: "discard", sequences: [5] } as const;
  await sendRequest(
    data,
    request,
    async () => true,
    new AbortController().signal,
    () => undefined,
  );
  await untilOpen(projector, 0);
  await projector.stop();
  return projector.directory.live() ?? "";
};

test("a dead letter stays discarded through a rebuild next to a damaged model", async (context) => {
  const live = await afterDiscard(context);
  await damageRow(live);
  const store = openStore(live, { readOnly: false });
  store.transaction((stored) => {
    const checkpoint = stored.get(tables.meta, "checkpoint");
    assert.ok(checkpoint);
    stored.put(tables.meta, "checkpoint", { ...checkpoint, projections: "product.0" });
  });
  await store.close();
  const next = await followed(context);
  assert.is(next.directory.generations().length, 2);
  await next.stop();
  // The next projector counted no other model.
  const last = await followed(context);
  await untilOpen(last, 0);
  await last.stop();
});

test("a dead letter stays discarded when every model is damaged", async (context) => {
  await afterDiscard(context);
  const directory = openDataDirectory(context.data);
  for (const generation of directory.generations())
    flagForCheck(generation, "by the test", "corrupt");
  await quarantineDamaged({ directory, logger: silent });
  const next = await followed(context);
  await untilOpen(next, 0);
  await next.stop();
});

test("a rejected event of another log at the same sequence is not discarded", async (context) => {
  await afterDiscard(context);
  await context.log.close();
  rmSync(context.journal, { recursive: true });
  context.log = open(context.journal);
  await append(context.log, ...products(4), refused);
  const next = await followed(context);
  await untilOpen(next, 1);
  await next.stop();
});

test.run();
