import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { VitrineError } from "../../../src/errors.ts";
import {
  type ComparisonWorker,
  startComparisonWorker,
} from "../../../src/projector/rebuild/comparison-client.ts";
import { temporaryDirectory } from "../../helpers/directory.ts";
import { productUpserted } from "../../helpers/events.ts";
import { openModel, type TestModel } from "../../helpers/model.ts";
import { childrenOf } from "../../helpers/vitrine.ts";

interface ClientContext {
  readonly home: { readonly path: string; remove(): void };
  readonly model: TestModel;
  readonly ended: AbortController;
  readonly worker: ComparisonWorker;
  readonly pid: number;
}

const test = suite<ClientContext>("comparison worker");

test.before.each(async (context) => {
  const home = temporaryDirectory();
  mkdirSync(join(home.path, "place"));
  const model = openModel();
  model.apply(productUpserted());
  const ended = new AbortController();
  const worker = await startComparisonWorker(
    model.store.directory,
    join(home.path, "place"),
    ended.signal,
  );
  const children = await childrenOf(process.pid);
  const [pid] = [...children]
    .filter(([title]) => title.includes("comparison-worker"))
    .map(([, id]) => id);
  Object.assign(context, { home, model, ended, worker, pid });
});
test.after.each(async ({ home, model, worker }) => {
  worker.close();
  await model.close();
  home.remove();
});

/** Resolves with the error of a request; a request without an answer never resolves. */
const refusal = (asking: Promise<unknown>): Promise<[code: string, message: string]> =>
  Promise.race([
    asking.then(
      () => ["answered", ""],
      (error: unknown) =>
        error instanceof VitrineError ? [error.code, error.message] : ["thrown", String(error)],
    ),
    new Promise((resolve) => setTimeout(resolve, 10_000, ["unanswered", ""]).unref()),
  ]) as Promise<[string, string]>;

const isGone = async (pid: number): Promise<void> => {
  while ([...(await childrenOf(process.pid)).values()].includes(pid)) await delay(5);
};

test("a process that the system cannot start says nothing about the file", async ({
  model,
  home,
}) => {
  // No path may contain this character, and Node rejects it at once.
  const path = join(home.path, "pl\0ace");
  const opening = startComparisonWorker(model.store.directory, path, new AbortController().signal);
  const [code, message] = await refusal(opening);
  assert.is(code, "comparison_unavailable");
  assert.match(message, "could not be compared");
});

test("the worker reports its checkpoint, and differences", async ({ worker, model }) => {
  assert.is((await worker.describe()).products, 1);
  assert.is((await worker.pin()).checkpoint?.sequence, 1);
  assert.is((await worker.compare(model.store.directory)).isSame, true);
});

test("a worker killed between two requests rejects the next one, and says nothing about the file", async ({
  worker,
  pid,
}) => {
  await worker.describe();
  process.kill(pid, "SIGKILL");
  await isGone(pid);
  for (const ask of [worker.describe, worker.pin, () => worker.compare("nowhere")]) {
    const [code, message] = await refusal(ask());
    assert.is(code, "comparison_unavailable");
    assert.match(message, "could not be compared: the process that read it ended with SIGKILL");
  }
});

test("a worker killed by SIGKILL rejects its request, without a report of damage", async ({
  worker,
  pid,
  model,
}) => {
  process.kill(pid, "SIGSTOP");
  const asking = refusal(worker.compare(model.store.directory));
  process.kill(pid, "SIGKILL");
  assert.is((await asking)[0], "comparison_unavailable");
});

test("a worker killed by SIGBUS reports damage, now and later", async ({ worker, pid }) => {
  const asking = refusal(worker.pin());
  process.kill(pid, "SIGBUS");
  await isGone(pid);
  await asking;
  const [code, message] = await refusal(worker.describe());
  assert.is(code, "model_damaged");
  assert.match(message, "is damaged: the process that read it ended with SIGBUS");
});

test("a missing resource of the machine is not damage", async ({ worker, home, model }) => {
  rmSync(join(home.path, "place"), { recursive: true });
  const [code, message] = await refusal(worker.compare(model.store.directory));
  assert.is(code, "comparison_unavailable", message);
  assert.match(message, "no such file");
  mkdirSync(join(home.path, "place"));
  assert.is((await worker.compare(model.store.directory)).isSame, true);
});

test("the abort signal ends the worker and every request", async ({ worker, ended, pid }) => {
  process.kill(pid, "SIGSTOP");
  const asking = refusal(worker.describe());
  ended.abort(new Error("enough"));
  assert.equal(await asking, ["thrown", "Error: enough"]);
  assert.equal(await refusal(worker.pin()), ["thrown", "Error: enough"]);
});

test.run();
