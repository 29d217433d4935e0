import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { EventLog } from "../../../src/event-log/event-log.ts";
import { openJournal } from "../../../src/event-log/journal/index.ts";
import { type CloudEvent, toMessage } from "../../../src/events/envelope.ts";
import { noStock } from "../../../src/offers/stock.ts";
import { applyBatch } from "../../../src/projector/batch/batch.ts";
import { type ExplainOptions, explainEntity } from "../../../src/projector/explain/explain.ts";
import type {
  ExplainedGroup,
  Explanation,
  GroupName,
} from "../../../src/projector/explain/explanation.ts";
import { createHtmlRenderer } from "../../../src/projector/rendering/index.ts";
import { tables } from "../../../src/read-model/schema/tables.ts";
import { openStore, type Store } from "../../../src/read-model/store/store.ts";
import { rejects } from "../../event-log/rejects.ts";
import { temporaryDirectory } from "../../helpers/directory.ts";
import {
  categoryUpserted,
  oneOfEach,
  priceChanged,
  productDeleted,
  productPatched,
  productUpserted,
  stockChanged,
  tokenRegenerated,
} from "../../helpers/events.ts";
import { trimJournal } from "../../helpers/trim-journal.ts";

const test = suite("explain");
const rendering = createHtmlRenderer();

interface Shop {
  readonly eventLog: EventLog;
  readonly journal: string;
  readonly store: Store;
  explain(entity: string, options?: ExplainOptions): Promise<Explanation>;
}

/** Opens a log with these events and a model that includes the first `applied` of them. */
const withShop = async (
  events: readonly CloudEvent[],
  use: (shop: Shop) => Promise<void>,
  applied = events.length,
): Promise<void> => {
  const directory = temporaryDirectory();
  const journal = join(directory.path, "journal");
  const eventLog = openJournal({ directory: journal, now: () => Date.UTC(2026, 9, 1, 9) });
  const store = openStore(join(directory.path, "model"), { readOnly: false });
  try {
    // Each message needs its own id, because the log drops a message whose id it has.
    await eventLog.append(events.map((event, at) => ({ ...toMessage(event), id: `${at}` })));
    const identity = await eventLog.identity();
    for await (const chunk of eventLog.read({ after: 0, follow: false })) {
      applyBatch(store, chunk.slice(0, applied), { identity, rendering });
    }
    const explain = (entity: string, options?: ExplainOptions) =>
      explainEntity(eventLog, store, rendering, entity, options);
    await use({ eventLog, journal, store, explain });
  } finally {
    await store.close();
    await eventLog.close();
    directory.remove();
  }
};

const at = (minute: number, id = `at-${minute}`) => ({ id, time: timeOf(minute) });
const timeOf = (minute: number) => new Date(Date.UTC(2026, 9, 1, 8, minute)).toISOString();
const euros = (amount: string) => ({ amount, currency: "EUR" });

const groupOf = ({ groups }: Explanation, name: GroupName): ExplainedGroup => {
  const group = groups.find((each) => each.name === name);
  if (!group) throw new Error(`no group ${name}`);
  return group;
};
const outcomes = ({ effects }: ExplainedGroup) =>
  effects.map(({ sequence, outcome }) => [sequence, outcome]);

test("explain shows times with all digits, and which event of a millisecond is newer", async () => {
  const [late, early] = ["2026-10-01T08:00:00.1239Z", "2026-10-01T08:00:00.1231Z"];
  const events = [
    priceChanged({ price: euros("20.00") }, { id: "late", time: late }),
    priceChanged({ price: euros("15.00") }, { id: "early", time: early }),
  ];
  await withShop(events, async ({ explain }) => {
    const price = groupOf(await explain("price/1"), "price");
    assert.equal(price.writtenBy, { sequence: 1, id: "late", time: late, version: null });
    assert.is(price.agreement, "agrees");
    assert.equal(
      price.effects.map(({ id, time, outcome, against }) => [id, time, outcome, against?.time]),
      [
        ["early", early, "stale", late],
        ["late", late, "applied", undefined],
      ],
    );
  });
});

test("explain names for each field group the event that wrote it and what it changed", async () => {
  const events = [
    productUpserted({ name: "First", price: euros("1.00") }, at(1)),
    productPatched({ name: "Second" }, { ...at(2), sequence: 7 }),
    priceChanged({ price: euros("2.00") }, at(3)),
    stockChanged({ quantity: 0 }, at(4)),
    stockChanged({ quantity: 3 }, at(5)),
  ];
  await withShop(events, async ({ explain }) => {
    const explanation = await explain("product/1");
    assert.is(explanation.found, true);
    assert.is(explanation.checkpoint, 5);
    assert.equal(explanation.notes, []);
    const written = explanation.groups.map(({ name, writtenBy }) => [name, writtenBy?.sequence]);
    assert.equal(written, [
      ["core", 2],
      ["price", 3],
      ["stock", 5],
      ["text", 1],
    ]);
    const core = groupOf(explanation, "core");
    assert.equal(core.writtenBy, { sequence: 2, id: "at-2", time: timeOf(2), version: "7" });
    assert.is(core.state, "present");
    assert.is(core.fields.name, "Second");
    assert.equal(outcomes(core), [
      [2, "applied"],
      [1, "applied"],
    ]);
    assert.equal(core.effects[0]?.changes, [{ field: "name", before: "First", after: "Second" }]);
    assert.equal(groupOf(explanation, "price").effects[0]?.changes, [
      { field: "price", before: euros("1.00"), after: euros("2.00") },
    ]);
    assert.equal(groupOf(explanation, "stock").effects[0]?.changes, [
      { field: "orderable", before: false, after: true },
      { field: "quantity", before: 0, after: 3 },
    ]);
    assert.is(groupOf(explanation, "text").fields.description, "What product 1 is.");
    for (const { agreement } of explanation.groups) assert.is(agreement, "agrees");
  });
});

test("explain marks late events with the newer one, repeated events, and prices that do not count", async () => {
  const newest = productUpserted({ price: euros("5.00") }, at(5));
  const events = [
    newest,
    productPatched({ name: "Late", price: euros("4.00") }, at(4)),
    newest,
    priceChanged({ price: euros("3.00") }, at(3)),
    priceChanged({ price: euros("2.00") }, at(2)),
  ];
  await withShop(events, async ({ explain }) => {
    const explanation = await explain("product/1");
    const core = groupOf(explanation, "core");
    assert.equal(outcomes(core), [
      [3, "repeated"],
      [2, "stale"],
      [1, "applied"],
    ]);
    assert.equal(core.counts, { applied: 1, superseded: 0, waiting: 0, stale: 1, repeated: 1 });
    assert.is(core.effects[1]?.against?.sequence, 1);
    const price = groupOf(explanation, "price");
    assert.equal(outcomes(price), [
      [5, "stale"],
      [4, "superseded"],
      [3, "repeated"],
      [2, "stale"],
      [1, "applied"],
    ]);
    assert.equal(
      price.effects.map(({ against }) => against?.sequence),
      [4, 1, 1, 1, undefined],
    );
    assert.is(price.writtenBy?.sequence, 1);
    assert.equal((await explain("price/1")).groups, [price]);
    assert.equal((await explain("stock/1")).found, false);
  });
});

test("explain shows a deletion and a patch that waits for its product", async () => {
  const events = [
    productUpserted({}, at(1)),
    productDeleted(1, at(2)),
    productPatched({ id: 2 }, at(1)),
  ];
  await withShop(events, async ({ explain }) => {
    const deleted = await explain("product/1");
    for (const name of ["core", "price"] as const) {
      assert.is(groupOf(deleted, name).state, "deleted");
      assert.is(groupOf(deleted, name).writtenBy?.sequence, 2);
    }
    const change = groupOf(deleted, "core").effects[0]?.changes.find(
      ({ field }) => field === "name",
    );
    assert.equal(change, { field: "name", before: "Product 1", after: null });
    const waiting = await explain("product/2");
    assert.equal(outcomes(groupOf(waiting, "core")), [[3, "waiting"]]);
    assert.is(groupOf(waiting, "core").state, "unknown");
    assert.is(groupOf(waiting, "core").agreement, "agrees");
    assert.is(waiting.found, true);
  });
});

test("explain shows dead letters with their reason", async () => {
  const events = [
    categoryUpserted({ id: 1, parentId: 1 }, at(1)),
    categoryUpserted({ id: 1, name: 4 as never }, at(2)),
    categoryUpserted({ id: 1 }, at(3)),
  ];
  await withShop(events, async ({ explain }) => {
    const { refused, groups } = await explain("category/1", { limit: 1 });
    assert.is(refused.count, 2);
    assert.equal(
      refused.newest.map(({ sequence, code, field }) => [sequence, code, field]),
      [[2, "schema", "data.name"]],
    );
    assert.equal(groups.map(outcomes), [[[3, "applied"]]]);
    assert.equal(
      groups.map(({ agreement }) => agreement),
      ["agrees"],
    );
  });
});

test("explain finds every kind of entity, and agrees with the log", async () => {
  await withShop(oneOfEach(), async ({ explain }) => {
    for (const { subject } of oneOfEach()) {
      const explanation = await explain(String(subject));
      assert.is(explanation.found, true, String(subject));
      assert.equal(explanation.notes, [], String(subject));
    }
  });
});

test("explain shortens long texts to their first words and their length", async () => {
  const descriptionHtml = `<p>${"Soft wool ".repeat(200)}</p>`;
  const specifications = [{ name: "Care", value: "cold ".repeat(100) }];
  await withShop([productUpserted({ descriptionHtml, specifications })], async ({ explain }) => {
    const explanation = await explain("product/1");
    assert.match(
      String(groupOf(explanation, "text").fields.markdown),
      /^Soft wool Soft wool [\w ]+… \(1,999 characters\)$/,
    );
    assert.match(
      String(groupOf(explanation, "core").fields.specifications),
      /^\[\{"name":"Care".*characters\)$/,
    );
  });
});

test("explain lists the newest events and counts all, or lists all", async () => {
  const events = Array.from({ length: 300 }, (_, n) =>
    stockChanged({ quantity: n % 2 }, { id: `stock-${n}`, time: timeOf(n / 60) }),
  );
  await withShop(events, async ({ explain }) => {
    const stock = groupOf(await explain("stock/1"), "stock");
    assert.is(stock.counts.applied, 300);
    assert.equal(
      stock.effects.map(({ sequence }) => sequence),
      Array.from({ length: 10 }, (_, at) => 300 - at),
    );
    const all = await explain("stock/1", { limit: Number.POSITIVE_INFINITY });
    assert.is(groupOf(all, "stock").effects.length, 300);
  });
});

test("explain counts events that are not applied yet, without their changes", async () => {
  const events = [
    productUpserted({ name: "Now" }, at(1)),
    productUpserted({ name: "Soon" }, at(2)),
  ];
  await withShop(
    events,
    async ({ explain }) => {
      const explanation = await explain("product/1");
      assert.is(explanation.waiting, 1);
      assert.is(groupOf(explanation, "core").fields.name, "Now");
      assert.is(groupOf(explanation, "core").counts.applied, 1);
    },
    1,
  );
});

test("explain reports a log that no longer holds the history of the model", async () => {
  const events = [productUpserted({}, at(1)), stockChanged({}, at(2)), priceChanged({}, at(3))];
  await withShop(events, async ({ explain, journal }) => {
    await trimJournal(journal, 3);
    const explanation = await explain("product/1");
    assert.equal(
      explanation.groups.map(({ name, agreement }) => [name, agreement]),
      [
        ["core", "missing"],
        ["price", "agrees"],
        ["stock", "missing"],
        ["text", "incomplete"],
      ],
    );
    assert.equal(groupOf(explanation, "core").writtenBy, {
      sequence: null,
      id: "at-1",
      time: timeOf(1),
      version: null,
    });
    assert.match(explanation.notes[0] ?? "", "the log begins at sequence 3");
    assert.match(explanation.notes[1] ?? "", /does not hold event at-1 .* which wrote core/);
  });
});

test("explain reports a disagreement of log and model", async () => {
  await withShop(
    [productUpserted({}, at(1)), stockChanged({}, at(2))],
    async ({ explain, store }) => {
      store.transaction((stored) => {
        const row = stored.get(tables.stocks, 1);
        if (row) stored.put(tables.stocks, 1, { ...row, content: noStock });
        stored.remove(tables.productTexts, 1);
      });
      const { notes, groups } = await explain("product/1");
      assert.equal(
        groups.map(({ agreement }) => agreement),
        ["agrees", "agrees", "differs", "differs"],
      );
      assert.equal(notes.length, 2);
      assert.match(notes[0] ?? "", /another stock than the model holds: vitrine verify/);
    },
  );
});

test("explain shows only the model when the log is another one", async () => {
  await withShop([productUpserted({ name: "Ours" })], async ({ store }) => {
    await withShop([productUpserted({ name: "Theirs" })], async ({ eventLog }) => {
      const explanation = await explainEntity(eventLog, store, rendering, "product/1");
      assert.is(groupOf(explanation, "core").fields.name, "Ours");
      assert.equal(groupOf(explanation, "core").effects, []);
      assert.match(explanation.notes.join(), "another log");
    });
  });
});

test("explain knows no entity without events, and rejects invalid names", async () => {
  await withShop([tokenRegenerated("a/b")], async ({ explain }) => {
    assert.is((await explain("product/1")).found, false);
    assert.is((await explain("agent/a/b")).found, true);
    const wrong = ["", "product", "product/", "product/0", "product/x", "product/1e3", "shop/1"];
    wrong.push(
      "settings/1",
      "agent/",
      "Product/1",
      "product/99999999999999999999",
      "constructor/1",
    );
    for (const entity of wrong) {
      await rejects(() => explain(entity), "usage", /is not the name of an entity/);
    }
  });
});

test("explain works on a model without events", async () => {
  await withShop(
    [productUpserted()],
    async ({ explain }) => {
      const explanation = await explain("product/1");
      assert.is(explanation.waiting, 1);
      assert.is(explanation.checkpoint, 0);
    },
    0,
  );
});

test("a variant that no event names is unknown, and one that left the list is deleted", async () => {
  const variants = [{ id: 1 }, { id: 2 }];
  const events = [
    productUpserted({ variants }, { time: "2026-10-01T01:00:00Z" }),
    productPatched({ variants: [{ id: 1 }] }, { time: "2026-10-01T02:00:00Z" }),
  ];
  await withShop(events, async ({ explain }) => {
    const unknown = await explain("variant/1/77");
    assert.is(unknown.found, false);
    assert.equal(
      [groupOf(unknown, "entry").state, groupOf(unknown, "entry").writtenBy],
      ["unknown", null],
    );
    const left = await explain("variant/1/2");
    assert.is(left.found, true);
    assert.equal(
      [groupOf(left, "entry").state, groupOf(left, "entry").writtenBy?.sequence],
      ["deleted", 2],
    );
    assert.is(groupOf(await explain("variant/1/1"), "entry").state, "present");
  });
});

test.run();
