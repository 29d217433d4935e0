import { test } from "uvu";
import * as assert from "uvu/assert";
import { openReader } from "../../../src/read-model/reader/open-reader.ts";
import { productDeleted, productUpserted } from "../../helpers/events.ts";
import { openModel } from "../../helpers/model.ts";

const lamp = (id: number) => productUpserted({ id, name: "Lamp", condition: "new" });

test("a search without words finds the products that are visible now, where as many came as went", async () => {
  const model = openModel();
  model.apply(lamp(1), lamp(2));
  const reader = openReader(model.store);
  const find = () =>
    reader.snapshot((snapshot) =>
      snapshot.products({ first: 10, condition: "new" })?.products.map(({ id }) => id),
    );
  assert.equal(find(), [1, 2]);
  model.apply(productDeleted(2), lamp(3));
  assert.equal(find(), [1, 3]);
  await model.close();
});

test.run();
