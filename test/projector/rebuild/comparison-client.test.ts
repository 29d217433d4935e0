import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
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

interface World {
  readonly home: { readonly path: string; remove(): void };
  readonly model: TestModel;
  readonly ended: AbortController;
  readonly apart: ComparisonWorker;
  readonly pid: number;
}

const test = suite<World>("a generation read apart");

test.before.each(async (world) => {
  const home = temporaryDirectory();
  mkdirSync(join(home.path, "place"));
  const model = openModel();
  model.apply(productUpserted());
  const ended = new AbortController();
  const apart = await startComparisonWorker(
    model.store.directory,
    join(home.path, "place"),
    ended.signal,
  );
  const children = await childrenOf(process.pid);
  const [pid] = [...children]
    .filter(([title]) => title.includes("comparison-worker"))
    .map(([, id]) => id);
  Object.assign(world, { home, model, ended, apart, pid });
});
test.after.each(async ({ home, model, apart }) => {
  apart.close();
  await model.close();
  home.remove();
});

/** How asking ended; a question that nobody answers is none that ended. */
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
  while ([...(await childrenOf(process.pid)).values()].includes(pid));
};

test("a process that the system does not give says nothing of the file", async ({
  model,
  home,
}) => {
  // No path holds such a character, and Node says so at once.
  const place = join(home.path, "pl\0ace");
  const opening = startComparisonWorker(model.store.directory, place, new AbortController().signal);
  const [code, message] = await refusal(opening);
  assert.is(code, "comparison_unavailable");
  assert.match(message, "could not be compared");
});

test("tells its checkpoint, and what it differs in", async ({ apart, model }) => {
  assert.is((await apart.describe()).products, 1);
  assert.is((await apart.pin()).checkpoint?.sequence, 1);
  assert.is((await apart.compare(model.store.directory)).isSame, true);
});

test("a process killed between two questions refuses the next, and says nothing of the file", async ({
  apart,
  pid,
}) => {
  await apart.describe();
  process.kill(pid, "SIGKILL");
  await isGone(pid);
  for (const ask of [apart.describe, apart.pin, () => apart.compare("nowhere")]) {
    const [code, message] = await refusal(ask());
    assert.is(code, "comparison_unavailable");
    assert.match(message, "could not be compared: the process that read it ended with SIGKILL");
  }
});

test("one killed over a question refuses it; only what damage ends a process by is damage", async ({
  apart,
  pid,
  model,
}) => {
  process.kill(pid, "SIGSTOP");
  const asking = refusal(apart.compare(model.store.directory));
  process.kill(pid, "SIGKILL");
  assert.is((await asking)[0], "comparison_unavailable");
});

test("one that ends by a signal of damaged files tells of damage, now and later", async ({
  apart,
  pid,
}) => {
  const asking = refusal(apart.pin());
  process.kill(pid, "SIGBUS");
  await isGone(pid);
  await asking;
  const [code, message] = await refusal(apart.describe());
  assert.is(code, "model_damaged");
  assert.match(message, "is damaged: the process that read it ended with SIGBUS");
});

test("what the machine lacks is no damage", async ({ apart, home, model }) => {
  rmSync(join(home.path, "place"), { recursive: true });
  const [code, message] = await refusal(apart.compare(model.store.directory));
  assert.is(code, "comparison_unavailable", message);
  assert.match(message, "no such file");
  mkdirSync(join(home.path, "place"));
  assert.is((await apart.compare(model.store.directory)).isSame, true);
});

test("its signal ends it, and every question", async ({ apart, ended, pid }) => {
  process.kill(pid, "SIGSTOP");
  const asking = refusal(apart.describe());
  ended.abort(new Error("enough"));
  assert.equal(await asking, ["thrown", "Error: enough"]);
  assert.equal(await refusal(apart.pin()), ["thrown", "Error: enough"]);
});

test.run();
