import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createBatchWriter } from "../../../src/projector/batch/batch-writer.ts";
import { createHtmlRenderer } from "../../../src/projector/rendering/index.ts";
import { tables } from "../../../src/read-model/schema/tables.ts";
import { productDeleted, productUpserted, recordOf } from "../../helpers/events.ts";
import { identity, openModel, type TestModel } from "../../helpers/model.ts";

const test = suite<{ model: TestModel }>("batch writer");

test.before.each((context) => {
  context.model = openModel();
  const specifications = Array.from({ length: 10 }, (_, at) => ({
    name: `${at}`,
    value: "lamp ".repeat(2_000),
  }));
  context.model.apply(...ids.map((id) => productUpserted({ id, specifications })));
});
test.after.each(({ model }) => model.close());

const ids = Array.from({ length: 50 }, (_, at) => 1 + at);
const deletions = ids.map((id) =>
  recordOf(productDeleted(id, { time: "2026-12-01T00:00:00Z" }), ids.length + id),
);

/** @param most number of batches that can be written before the writer is stopped */
const pumpOf = ({ store }: TestModel, most: number) => {
  const reached: number[] = [];
  const pump = createBatchWriter(
    { name: "test", store },
    { identity, rendering: createHtmlRenderer() },
    async (folding) => {
      if (reached.length === most) return false;
      reached.push(store.transaction((stored) => folding.commit(stored)).checkpoint.sequence);
      return true;
    },
  );
  return { pump, reached };
};

test("a chunk that is too large for one batch is written completely, in several batches", async ({
  model,
}) => {
  const { pump, reached } = pumpOf(model, Number.POSITIVE_INFINITY);
  await pump.add(deletions);
  assert.is(await pump.flush(), true);
  assert.ok(reached.length >= 3, `written up to ${reached}`);
  assert.is(reached.at(-1), 2 * ids.length);
  model.store.refresh();
  assert.equal([...model.store.keys(tables.products)], []);
});

test("nothing of a chunk is applied after a batch that was not written", async ({ model }) => {
  const { pump, reached } = pumpOf(model, 1);
  await pump.add(deletions);
  assert.is(await pump.flush(), true);
  assert.is(reached.length, 1);
  model.store.refresh();
  assert.is(model.store.get(tables.meta, "checkpoint")?.sequence, reached[0]);
});

test.run();
