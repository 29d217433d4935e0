import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createLogger } from "../../src/log.ts";
import { createRetryingBatchWriter } from "../../src/projector/batch/batch-writer.ts";
import type { ProjectorContext } from "../../src/projector/context.ts";
import { createGeneration, type Generation } from "../../src/projector/open-generation.ts";
import { createHtmlRenderer } from "../../src/projector/rendering/index.ts";
import { createStatusTracker } from "../../src/projector/status/status-tracker.ts";
import { openDataDirectory } from "../../src/read-model/generations/data-directory.ts";
import type { OperatorState } from "../../src/read-model/operator/state.ts";
import { tables } from "../../src/read-model/schema/tables.ts";
import type { Store } from "../../src/read-model/store/store.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../helpers/directory.ts";
import { productUpserted, recordOf, tokenRevoked } from "../helpers/events.ts";
import { identity } from "../helpers/model.ts";
import { openOperator } from "../helpers/operator.ts";

interface RevocationContext {
  readonly home: TemporaryDirectory;
  readonly operator: OperatorState;
  readonly generation: Generation;
}

const test = suite<RevocationContext>("revocations of a batch");
const rendering = createHtmlRenderer();

test.before.each(async (context) => {
  const home = temporaryDirectory();
  const data = join(home.path, "data");
  const directory = openDataDirectory(data);
  const operator = await openOperator(data);
  Object.assign(context, { home, operator, generation: createGeneration(directory) });
});
test.after.each(async ({ home, operator, generation }) => {
  await generation.store.close();
  await operator.close();
  home.remove();
});

/** Applies two events to a generation as the projector does. */
const fold = async (
  { home, operator }: Pick<RevocationContext, "home" | "operator">,
  generation: Generation,
): Promise<void> => {
  const context = {
    directory: openDataDirectory(join(home.path, "data")),
    operator,
    progress: createStatusTracker(Date.now),
    logger: createLogger("silent", "test"),
    signal: new AbortController().signal,
    rendering,
  } as Partial<ProjectorContext> as ProjectorContext;
  const pump = createRetryingBatchWriter(context, generation, identity);
  await pump.add([recordOf(productUpserted(), 1), recordOf(tokenRevoked("watcher", 0), 2)]);
  await pump.flush();
};

const sequenceIn = (store: Store): number => store.get(tables.meta, "checkpoint")?.sequence ?? 0;

test("revocations are in the operator state before the batch is committed", async ({
  home,
  operator,
  generation,
}) => {
  const found: unknown[] = [];
  const transaction: Store["transaction"] = (write) => {
    found.push(operator.revocation("watcher"), sequenceIn(generation.store));
    return generation.store.transaction(write);
  };
  await fold({ home, operator }, { ...generation, store: { ...generation.store, transaction } });
  assert.equal(found, [{ generation: 0, revoked: true }, 0]);
  assert.is(sequenceIn(generation.store), 2);
});

test("a batch is not committed while its revocations cannot be written", async ({
  home,
  operator,
  generation,
}) => {
  const found: number[] = [];
  const add: OperatorState["add"] = (rows) => {
    found.push(sequenceIn(generation.store));
    if (found.length > 1) return operator.add(rows);
    throw Object.assign(new Error("no space left on device"), { code: 28 });
  };
  await fold({ home, operator: { ...operator, add } }, generation);
  assert.equal(found, [0, 0]);
  assert.equal(operator.revocation("watcher"), { generation: 0, revoked: true });
  assert.is(sequenceIn(generation.store), 2);
});

test("revocations of a generation that is not live are omitted: its log may be the wrong one", async ({
  home,
  operator,
  generation,
}) => {
  const directory = openDataDirectory(join(home.path, "data"));
  const candidate = createGeneration(directory);
  directory.swap(generation.store.directory);
  await fold({ home, operator }, candidate);
  assert.is(sequenceIn(candidate.store), 2);
  assert.equal(operator.rows(), []);
  await candidate.store.close();
});

test.run();
