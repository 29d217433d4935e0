import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { readModelRows } from "../../../src/read-model/operator/model-rows.ts";
import {
  type OperatorReader,
  readRevocationFloor,
  stricterOf,
} from "../../../src/read-model/operator/state.ts";
import type { RevocationFloor } from "../../../src/read-model/schema/rows.ts";
import { temporaryDirectory } from "../../helpers/directory.ts";
import { tokenRegenerated, tokenRevoked } from "../../helpers/events.ts";
import { openModel, type TestModel } from "../../helpers/model.ts";
import { openOperator } from "../../helpers/operator.ts";

const test = suite("revoked tokens");

const label = fc.constantFrom("one", "two");
/** Token events of one log, in log order. */
const tokenEvents = fc.array(fc.record({ label, generation: fc.nat(4), revoked: fc.boolean() }), {
  maxLength: 6,
});

const modelOf = (events: readonly (RevocationFloor & { readonly label: string })[]): TestModel => {
  const model = openModel();
  for (const [at, { label, generation, revoked }] of events.entries()) {
    const time = new Date(Date.UTC(2026, 9, 1) + at).toISOString();
    const make = revoked ? tokenRevoked : tokenRegenerated;
    model.apply(make(label, generation, { time }));
  }
  return model;
};

const effective = (
  { store }: TestModel,
  operator: Pick<OperatorReader, "revocation">,
  label: string,
): RevocationFloor => {
  const found = readRevocationFloor(store, operator, label) ?? { generation: 0, revoked: false };
  return { generation: found.generation, revoked: found.revoked };
};

const nothing = { revocation: () => undefined };

test("whatever logs a directory followed, no revoked token becomes valid again", async () => {
  const home = temporaryDirectory();
  let directories = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(tokenEvents, { minLength: 1, maxLength: 4 }), async (logs) => {
      directories += 1;
      const operator = await openOperator(`${home.path}/${directories}`);
      const models = logs.map(modelOf);
      const alone = models.map((model) =>
        ["one", "two"].map((each) => effective(model, nothing, each)),
      );
      for (const [at, model] of models.entries()) {
        const rows = [...readModelRows(model.store)];
        operator.add(rows);
        operator.add(rows);
        for (const [which, each] of ["one", "two"].entries()) {
          const strictest = alone
            .slice(0, at + 1)
            .map((standings) => standings[which] as RevocationFloor)
            .reduce((one, other) => stricterOf(one, other));
          assert.equal(effective(model, operator, each), strictest);
        }
      }
      for (const model of models) await model.close();
      await operator.close();
    }),
    { numRuns: 60 },
  );
  home.remove();
});

test("a later event of the model's log outranks an earlier revocation", async () => {
  const home = temporaryDirectory();
  const operator = await openOperator(home.path);
  operator.add([{ kind: "revocation", label: "one", generation: 1, revoked: true }]);
  const next = modelOf([]);
  assert.equal(effective(next, operator, "one"), { generation: 1, revoked: true });
  next.apply(tokenRegenerated("one", 2));
  assert.equal(effective(next, operator, "one"), { generation: 2, revoked: false });
  await next.close();
  await operator.close();
  home.remove();
});

test.run();
