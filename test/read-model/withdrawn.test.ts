import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { tables } from "../../src/read-model/tables.ts";
import { carryWithdrawn, stricter, type Withdrawn } from "../../src/read-model/withdrawn.ts";
import { tokenRegenerated, tokenRevoked } from "../helpers/events.ts";
import { openModel, type TestModel } from "../helpers/model.ts";

const test = suite("tokens that were withdrawn");

const label = fc.constantFrom("one", "two");
/** What a log tells of tokens, in its order. */
const told = fc.array(fc.record({ label, generation: fc.nat(4), revoked: fc.boolean() }), {
  maxLength: 6,
});

const modelOf = (events: readonly (Withdrawn & { readonly label: string })[]): TestModel => {
  const model = openModel();
  for (const [at, { label, generation, revoked }] of events.entries()) {
    const time = new Date(Date.UTC(2026, 9, 1) + at).toISOString();
    const make = revoked ? tokenRevoked : tokenRegenerated;
    model.tell(make(label, generation, { time }));
  }
  return model;
};

const standing = (model: TestModel, label: string): Withdrawn => {
  const { generation = 0, revoked = false } = model.ask((moment) => moment.agent(label)) ?? {};
  return { generation, revoked };
};

test("whatever logs a model followed, and in whatever order they are carried, no withdrawn token comes back", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(told, { minLength: 1, maxLength: 4 }), async (logs) => {
      const models = logs.map(modelOf);
      const alone = models.map((model) => ["one", "two"].map((each) => standing(model, each)));
      for (const [at, model] of models.entries()) {
        const former = models[at - 1];
        const digest = model.digest();
        if (former) model.store.transaction((to) => carryWithdrawn(former.store, to));
        assert.equal(model.digest(), digest, "it is none of what the log tells");
        for (const [which, each] of ["one", "two"].entries()) {
          const strictest = alone
            .slice(0, at + 1)
            .map((standings) => standings[which] as Withdrawn)
            .reduce((one, other) => stricter(one, other));
          assert.equal(standing(model, each), strictest);
        }
      }
      for (const model of models) await model.close();
    }),
    { numRuns: 60 },
  );
});

test("nothing is kept of what the log of the model tells itself", async () => {
  const events = [{ label: "one", generation: 3, revoked: true }];
  const [former, next] = [modelOf(events), modelOf(events)];
  next.store.transaction((to) => carryWithdrawn(former.store, to));
  assert.equal([...next.store.keys(tables.withdrawn)], []);
  await former.close();
  await next.close();
});

test("what the log of the model tells later counts above what was withdrawn before", async () => {
  const former = modelOf([{ label: "one", generation: 1, revoked: true }]);
  const next = modelOf([]);
  next.store.transaction((to) => carryWithdrawn(former.store, to));
  assert.equal(standing(next, "one"), { generation: 1, revoked: true });
  next.tell(tokenRegenerated("one", 2));
  assert.equal(standing(next, "one"), { generation: 2, revoked: false });
  await former.close();
  await next.close();
});

test.run();
