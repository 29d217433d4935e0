import { rmSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  chooseStep,
  followLiveGeneration,
} from "../../../../src/cli/supervisor/roles/follow-live-generation.ts";
import { createLogger } from "../../../../src/log.ts";
import { applyBatch } from "../../../../src/projector/batch/batch.ts";
import { createHtmlRenderer } from "../../../../src/projector/rendering/index.ts";
import { openDataDirectory } from "../../../../src/read-model/generations/data-directory.ts";
import { modelLayout } from "../../../../src/read-model/schema/checkpoint.ts";
import { tables } from "../../../../src/read-model/schema/tables.ts";
import { openStore } from "../../../../src/read-model/store/store.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../../../helpers/directory.ts";
import { productUpserted, recordOf } from "../../../helpers/events.ts";
import { until } from "../../../helpers/vitrine.ts";

const test = suite<{ home: TemporaryDirectory; data: string }>("live reader");
const log = createLogger("silent", "test");
const rendering = createHtmlRenderer();

test.before.each((context) => {
  const home = temporaryDirectory();
  Object.assign(context, { home, data: join(home.path, "data") });
});
test.after.each(({ home }) => home.remove());

/** Creates a generation with one product of this name. */
const generationNamed = async (data: string, name: string): Promise<string> => {
  const path = openDataDirectory(data).create();
  const store = openStore(path, { readOnly: false });
  const identity = { name: "test", created: "2026-01-01T00:00:00.000Z" };
  applyBatch(store, [recordOf(productUpserted({ name }))], { identity, rendering });
  await store.close();
  return path;
};

const follow = async (data: string) => {
  const swaps: (string | null)[] = [];
  const live = await followLiveGeneration(
    openDataDirectory(data),
    (generation) => swaps.push(generation),
    log,
  );
  const shown = () => live.current()?.snapshot((snapshot) => snapshot.product(1)?.text.name);
  return { shown, swaps, close: live.close };
};

test("a generation with rows in the form of another version is not answered from", async ({
  data,
}) => {
  const directory = openDataDirectory(data);
  const path = await generationNamed(data, "First");
  const store = openStore(path, { readOnly: false });
  store.transaction((stored) => {
    const checkpoint = stored.get(tables.meta, "checkpoint");
    if (checkpoint)
      stored.put(tables.meta, "checkpoint", { ...checkpoint, layout: modelLayout + 1 });
  });
  await store.close();
  directory.swap(path);
  const live = await follow(data);
  assert.is(live.shown(), undefined);
  directory.swap(await generationNamed(data, "Second"));
  assert.is(live.shown(), undefined, "not open yet: the first one could not be read");
  await until(
    () => Promise.resolve(live.shown()),
    (name) => name === "Second",
  );
  await live.close();
});

test("all followers see a swap at the same time, forth and back", async ({ data }) => {
  const directory = openDataDirectory(data);
  const [first, second] = [
    await generationNamed(data, "First"),
    await generationNamed(data, "Second"),
  ];
  const [one, other] = [await follow(data), await follow(data)];
  assert.equal([one.shown(), other.shown()], [undefined, undefined]);
  directory.swap(first);
  assert.equal([one.shown(), other.shown()], ["First", "First"]);
  directory.swap(second);
  assert.equal([one.shown(), other.shown()], ["Second", "Second"]);
  directory.swap(first);
  assert.equal([one.shown(), other.shown()], ["First", "First"]);
  assert.equal(one.swaps, ["0001", "0002", "0001"]);
  await one.close();
  await other.close();
});

test("a generation that is swapped in while the first one is checked is used at once", async ({
  data,
}) => {
  const directory = openDataDirectory(data);
  directory.swap(await generationNamed(data, "First"));
  const second = await generationNamed(data, "Second");
  const following = follow(data);
  directory.swap(second);
  const { shown, close } = await following;
  assert.is(shown(), "Second");
  await close();
});

test("a generation that cannot be opened changes nothing, and is tried again", async ({ data }) => {
  const directory = openDataDirectory(data);
  directory.swap(await generationNamed(data, "First"));
  const { shown, swaps, close } = await follow(data);
  const second = await generationNamed(data, "Second");
  rmSync(join(second, "data.mdb"));
  directory.swap(second);
  assert.equal([shown(), shown(), swaps], ["First", "First", ["0001"]]);
  directory.swap(await generationNamed(data, "Third"));
  assert.is(shown(), "Third");
  await close();
});

test("the next step depends on the generation that answers, the unreadable one and the live one", () => {
  const failed = { generation: "b", at: 1_000 };
  const [soon, later] = [6_000, 6_001];
  const inputs: readonly Parameters<typeof chooseStep>[] = [
    ["a", undefined, "a", soon],
    [undefined, undefined, undefined, soon],
    ["a", undefined, undefined, soon],
    [undefined, undefined, "a", soon],
    ["a", undefined, "b", soon],
    ["a", failed, "b", soon],
    ["a", failed, "b", later],
    [undefined, failed, "b", soon],
    [undefined, failed, "b", later],
    ["a", failed, "a", later],
    ["a", failed, "c", soon],
    [undefined, failed, "c", soon],
    [undefined, failed, undefined, later],
  ];
  const steps = inputs.map((input) => Object.values(chooseStep(...input)).join(" "));
  assert.equal(steps, [
    ...["keep", "keep", "close", "open a", "open b"],
    ...["keep", "probe b", "keep", "probe b"],
    ...["keep", "open c", "probe c", "keep"],
  ]);
});

test.run();
