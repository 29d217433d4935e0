import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createLogger } from "../../../src/log.ts";
import { createRetryingBatchWriter } from "../../../src/projector/batch/batch-writer.ts";
import type { ProjectorContext } from "../../../src/projector/context.ts";
import { createHtmlRenderer } from "../../../src/projector/rendering/index.ts";
import type { ProjectorState } from "../../../src/projector/status/status.ts";
import { createStatusTracker } from "../../../src/projector/status/status-tracker.ts";
import type { Store } from "../../../src/read-model/store/store.ts";
import { productUpserted, recordOf } from "../../helpers/events.ts";
import { identity, openModel } from "../../helpers/model.ts";

const test = suite("writing on a temporarily full disk");
const rendering = createHtmlRenderer();

/** States reported while a batch cannot be written at first, and afterwards. */
const statesAfter = async (before: ProjectorState, reason: string): Promise<readonly string[]> => {
  const model = openModel();
  const progress = createStatusTracker(Date.now);
  progress.setState(before, reason);
  const states: string[] = [];
  const report = (): void => {
    const { state, reason: why } = progress.status();
    states.push(`${state}: ${why?.replace(/;.*/, "") ?? ""}`);
  };
  let isFull = true;
  const transaction: Store["transaction"] = (write) => {
    if (!isFull) return model.store.transaction(write);
    isFull = false;
    throw Object.assign(new Error("no space left on device"), { code: 28 });
  };
  const block: typeof progress.block = (work, why) => {
    progress.block(work, why);
    report();
  };
  const unblock: typeof progress.unblock = (work) => {
    progress.unblock(work);
    report();
  };
  const context = {
    progress: { ...progress, block, unblock },
    logger: createLogger("silent", "test"),
    signal: new AbortController().signal,
    rendering,
  } as Partial<ProjectorContext> as ProjectorContext;
  const generation = { name: "0002", store: { ...model.store, transaction } };
  const pump = createRetryingBatchWriter(context, generation, identity);
  await pump.add([recordOf(productUpserted(), 1)]);
  await pump.flush();
  assert.is(progress.status().checkpoint, 1);
  assert.is(
    model.read((snapshot) => snapshot.counts().products),
    1,
  );
  await model.close();
  return states;
};

const full = "faulted: the read model cannot be written: no space left on device";

test("after a full disk a rebuild goes on in state rebuilding, with its reason", async () => {
  const states = await statesAfter("rebuilding", "the log was made anew");
  assert.equal(states, [full, "rebuilding: the log was made anew"]);
});

test("after a full disk a live projector is in state replaying", async () => {
  assert.equal(await statesAfter("live", ""), [full, "replaying: "]);
});

test("a batch that a bug keeps from being written is not tried again", async () => {
  const model = openModel();
  const bug = Object.assign(new Error("MDB_BAD_VALSIZE"), { code: -30781 });
  const ended = new AbortController();
  const context = {
    progress: createStatusTracker(Date.now),
    // The projector logs each further attempt.
    logger: { ...createLogger("silent", "test"), error: () => ended.abort() },
    signal: ended.signal,
    rendering,
  } as Partial<ProjectorContext> as ProjectorContext;
  const transaction = () => {
    throw bug;
  };
  const generation = { name: "0002", store: { ...model.store, transaction } };
  const pump = createRetryingBatchWriter(context, generation, identity);
  await pump.add([recordOf(productUpserted(), 1)]);
  const thrown = await pump.flush().catch((error: unknown) => error);
  assert.is(thrown, bug);
  await model.close();
});

test.run();
