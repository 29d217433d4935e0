import { statSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { productUpserted, settingsUpdated, stockChanged } from "../../helpers/events.ts";
import { openModel } from "../../helpers/model.ts";
import { ask, openMirror, readerAt } from "./mirror.ts";

const test = suite("surfaces/feed/pages");

test("a walk holds no snapshot: the file of the model does not grow with the commits between its pages", async () => {
  const model = openModel();
  const products = Array.from({ length: 100 }, (_, at) => productUpserted({ id: at + 1 }));
  model.apply(settingsUpdated(), ...products);
  const reader = readerAt(model.store, Date.now);
  const size = () => statSync(join(model.store.directory, "data.mdb")).size;
  const walk = (rounds: number): number => {
    for (let round = 0; round < rounds; round += 1) {
      ask(openMirror(undefined, { lines: 5 }), reader);
      model.apply(stockChanged({ productId: 1, quantity: round % 2 }));
    }
    return size();
  };
  const before = walk(50);
  assert.ok(walk(300) < 2 * before, `${before} bytes became ${size()}`);
  await model.close();
});

test("a variant that is left out when its product is shown for the first time is not sent", async () => {
  const model = openModel();
  const reader = readerAt(model.store, Date.now);
  const variant = (id: number) => ({ id, options: [{ name: "Size", value: String(id) }] });
  model.apply(
    settingsUpdated(),
    productUpserted({ id: 1, active: false, variants: [variant(1), variant(2)] }),
  );
  model.apply(productUpserted({ id: 1, active: true, variants: [variant(1)] }));
  const mirror = openMirror();
  mirror.next = { since: { sequence: 1, instant: Date.now() }, kinds: undefined, walk: undefined };
  const keys = ask(mirror, reader)?.changes.map((change) => JSON.parse(change).id);
  assert.equal(keys?.sort(), ["1", "1", "1", "1.1", "1.1"]);
  await model.close();
});

test("an instant at which a sale begins sends no line again that was removed", async () => {
  const model = openModel();
  let now = Date.UTC(2026, 9, 2);
  const reader = readerAt(model.store, () => now);
  const eur = (amount: string) => ({ amount, currency: "EUR" });
  const sales = [{ price: eur("8.00"), from: new Date(now + 3_600_000).toISOString() }];
  const variant = (id: number) => ({ id, options: [{ name: "Size", value: String(id) }] });
  const product = { id: 1, price: eur("9.00"), sales };
  model.apply(
    settingsUpdated(),
    productUpserted({ ...product, variants: [variant(1), variant(2)] }),
  );
  model.apply(
    productUpserted({ ...product, variants: [variant(1)] }, { time: "2026-10-01T09:00:00Z" }),
  );
  const mirror = openMirror();
  ask(mirror, reader);
  now += 3_600_000;
  const page = ask(mirror, reader);
  assert.ok(page?.changes.length);
  assert.ok(page?.changes.every((change) => JSON.parse(change).op === "upsert"));
  await model.close();
});

test.run();
