import { Readable } from "node:stream";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { corrections } from "../../../src/projector/reconcile/correct.ts";
import { cpuTime } from "../../helpers/cpu-time.ts";
import { categoryUpserted } from "../../helpers/events.ts";
import { openModel } from "../../helpers/model.ts";

const test = suite("corrections");

test("categories thousands of levels deep are corrected parents first, in little time", async () => {
  const levels = 6_000;
  const deepestFirst = Array.from({ length: levels }, (_, at) => levels - at);
  const events = deepestFirst.map((id) =>
    categoryUpserted({ id, parentId: id === 1 ? null : id - 1 }),
  );
  const snapshot = openModel();
  snapshot.tell(...events);
  const told = events.map((event) => `${JSON.stringify(event)}\n`).join("");
  const moment = Date.parse("2026-10-02T08:00:00Z");
  const spent = cpuTime();
  const order: unknown[] = [];
  for await (const { subject } of corrections(Readable.from([Buffer.from(told)]), {
    snapshot: snapshot.store,
    differences: deepestFirst.map((key) => ({
      kind: "category",
      key,
      finding: "missing",
      fields: [],
    })),
    moment: { time: moment },
    now: moment,
  })) {
    order.push(subject);
  }
  assert.equal(
    order,
    deepestFirst.toReversed().map((id) => `category/${id}`),
  );
  assert.ok(spent() < 8_000, `${spent()} ms`);
  await snapshot.close();
});

test.run();
