import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { VitrineError } from "../../../src/errors.ts";
import type { EventLog } from "../../../src/event-log/event-log.ts";
import { openJournal } from "../../../src/event-log/journal/index.ts";
import { createLogger } from "../../../src/log.ts";
import type { ProjectorContext } from "../../../src/projector/context.ts";
import { discardDeadLetters } from "../../../src/projector/dead-letters/dead-letters.ts";
import {
  type Generation,
  openGeneration,
  resumeGeneration,
} from "../../../src/projector/open-generation.ts";
import { promote, rollback } from "../../../src/projector/rebuild/promote.ts";
import { replay } from "../../../src/projector/rebuild/replay.ts";
import { createHtmlRenderer } from "../../../src/projector/rendering/index.ts";
import { createStatusTracker } from "../../../src/projector/status/status-tracker.ts";
import { openDataDirectory } from "../../../src/read-model/generations/data-directory.ts";
import { countOpenDeadLetters } from "../../../src/read-model/operator/discards.ts";
import { tables } from "../../../src/read-model/schema/tables.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../../helpers/directory.ts";
import { productUpserted, stockChanged, tokenRevoked } from "../../helpers/events.ts";
import { openOperator } from "../../helpers/operator.ts";
import { append, isLiveAt, startProjector } from "../../helpers/projector.ts";
import { markTextData, otherTextData } from "../../helpers/text-data.ts";

interface PromoteContext {
  readonly home: TemporaryDirectory;
  readonly log: EventLog;
  readonly projectorContext: ProjectorContext;
  readonly ended: AbortController;
}

const test = suite<PromoteContext>("adopt and rollback");
const rendering = createHtmlRenderer();
const bad = productUpserted({ id: 9, name: 5 as never });

test.before.each(async (context) => {
  const home = temporaryDirectory();
  const log = openJournal({ directory: join(home.path, "journal"), now: Date.now });
  await append(log, productUpserted(), bad, stockChanged());
  const projector = startProjector(join(home.path, "data"), log);
  await projector.until(isLiveAt(3));
  await projector.stop();
  const ended = new AbortController();
  const projectorContext: ProjectorContext = {
    directory: openDataDirectory(join(home.path, "data")),
    operator: await openOperator(join(home.path, "data")),
    eventLog: log,
    rendering,
    logger: createLogger("silent", "test"),
    progress: createStatusTracker(Date.now),
    now: Date.now,
    onDivergence: "rebuild",
    pollIntervalMs: 10,
    continuityIntervalMs: 50,
    signal: ended.signal,
  };
  Object.assign(context, { home, log, projectorContext, ended });
});
test.after.each(async ({ log, home }) => {
  await log.close();
  home.remove();
});

/** Builds a generation in `scratch/` up to this sequence. */
const build = async (projectorContext: ProjectorContext, sequence: number): Promise<string> => {
  const path = projectorContext.directory.createScratch("rebuild");
  const generation = openGeneration(path);
  await replay({ ...projectorContext, signal: new AbortController().signal }, generation, {
    sequence,
  });
  await generation.store.close();
  return path;
};

const sequenceOf = ({ store }: Generation): number =>
  store.get(tables.meta, "checkpoint")?.sequence ?? 0;

const refusal = async (attempt: Promise<Generation>): Promise<VitrineError> => {
  const error = await attempt.catch((thrown: unknown) => thrown);
  assert.instance(error, VitrineError);
  return error as VitrineError;
};

test("a built generation catches up with the live one before it is swapped, and discards stay", async ({
  projectorContext,
}) => {
  const { directory } = projectorContext;
  const current = resumeGeneration(directory);
  discardDeadLetters(current, projectorContext.operator, [2]);
  const digest = current.store.digest();
  const next = await promote(projectorContext, current, await build(projectorContext, 1));
  assert.equal([next.name, sequenceOf(next)], ["0002", 3]);
  assert.equal(next.store.digest(), digest);
  assert.is(countOpenDeadLetters(next.store, projectorContext.operator), 0);
  assert.match(`${directory.live()} ${directory.previous()}`, /0002 .*0001$/);
  await next.store.close();
});

test("a built generation catches up to the end of a log that is ahead of the live one", async ({
  projectorContext,
  log,
}) => {
  const current = resumeGeneration(projectorContext.directory);
  await append(log, productUpserted({ id: 4 }));
  const next = await promote(projectorContext, current, await build(projectorContext, 1));
  assert.equal([next.name, sequenceOf(next)], ["0002", 4]);
  await next.store.close();
});

test("a rollback brings the previous generation up to date too, and may be repeated", async ({
  projectorContext,
  log,
}) => {
  let current = await promote(
    projectorContext,
    resumeGeneration(projectorContext.directory),
    await build(projectorContext, 3),
  );
  discardDeadLetters(current, projectorContext.operator, [2]);
  projectorContext.operator.add([
    { kind: "revocation", label: "earlier", generation: 1, revoked: true },
  ]);
  for (const name of ["0001", "0002", "0001"]) {
    const revocation = tokenRevoked("current", sequenceOf(current));
    await append(log, productUpserted({ id: 100 + sequenceOf(current) }), revocation);
    await replay(projectorContext, current);
    const [before, digest] = [sequenceOf(current), current.store.digest()];
    current = await rollback(projectorContext, current);
    assert.equal([current.name, sequenceOf(current)], [name, before]);
    assert.equal(current.store.digest(), digest);
    assert.is(countOpenDeadLetters(current.store, projectorContext.operator), 0);
    assert.equal(projectorContext.operator.revocation("earlier"), { generation: 1, revoked: true });
    const revoked = projectorContext.operator.revocation("current");
    assert.equal(revoked, current.store.get(tables.agents, "current")?.content);
  }
  await current.store.close();
});

test("a rollback is possible while a bug stops both generations", async ({
  projectorContext,
  log,
}) => {
  const current = await promote(
    projectorContext,
    resumeGeneration(projectorContext.directory),
    await build(projectorContext, 3),
  );
  await append(log, stockChanged());
  await replay(projectorContext, current);
  await append(log, productUpserted({ id: 66, name: "Product 66" }));
  const cleanText = (): never => {
    throw new Error("boom");
  };
  const next = await rollback(
    { ...projectorContext, rendering: { ...rendering, cleanText } },
    current,
  );
  assert.equal([next.name, sequenceOf(next)], ["0001", 4]);
  await next.store.close();
});

test("a generation that cannot go live is rejected, and the live one goes on", async ({
  projectorContext,
  ended,
  home,
}) => {
  const { directory } = projectorContext;
  const current = resumeGeneration(directory);
  const live = directory.live();

  assert.match(
    (await refusal(promote(projectorContext, current, "/nowhere"))).message,
    "holds no generation",
  );

  const foreign = openJournal({ directory: join(home.path, "other"), now: () => 5 });
  await append(foreign, productUpserted(), productUpserted({ id: 2 }), productUpserted({ id: 3 }));
  const elsewhere = await build({ ...projectorContext, eventLog: foreign }, 3);
  const other = await refusal(promote(projectorContext, current, elsewhere));
  assert.equal([other.code, other.exitCode], ["divergence", 5]);
  assert.match(other.message, "another log under the same name");
  await foreign.close();

  const older = await build(projectorContext, 3);
  const generation = openGeneration(older);
  generation.store.transaction((stored) => {
    const checkpoint = stored.get(tables.meta, "checkpoint");
    if (checkpoint)
      stored.put(tables.meta, "checkpoint", { ...checkpoint, projections: "stock.0" });
  });
  await generation.store.close();
  const outdated = await refusal(promote(projectorContext, current, older));
  assert.match(outdated.message, "other versions of the projections (stock.0)");

  const foreignText = await build(projectorContext, 3);
  await markTextData(foreignText, otherTextData);
  const otherNode = await refusal(promote(projectorContext, current, foreignText));
  assert.is(otherNode.exitCode, 3);
  assert.match(otherNode.message, /made with other text data .*: icu 1\.0 → \d/);

  const intact = await build(projectorContext, 1);
  ended.abort();
  assert.match(
    (await refusal(promote(projectorContext, current, intact))).message,
    "ended before the swap",
  );

  assert.equal([directory.live(), directory.generations()], [live, [live]]);
  assert.is(sequenceOf(current), 3);
  await current.store.close();
});

test.run();
