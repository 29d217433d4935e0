import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { EventLog } from "../../../../src/event-log/event-log.ts";
import { openEventLog } from "../../../../src/event-log/open.ts";
import type { CloudEvent } from "../../../../src/events/envelope.ts";
import { openDataDirectory } from "../../../../src/read-model/generations/data-directory.ts";
import { tables } from "../../../../src/read-model/schema/tables.ts";
import { openStore } from "../../../../src/read-model/store/store.ts";
import { temporaryDirectory } from "../../../helpers/directory.ts";
import {
  carrierUpserted,
  categoryUpserted,
  pageUpserted,
  priceChanged,
  productDeleted,
  productPatched,
  productUpserted,
  robotsUpdated,
  settingsUpdated,
  stockChanged,
} from "../../../helpers/events.ts";
import { startNats } from "../../../helpers/nats.ts";
import { append, isLiveAt, startProjector } from "../../../helpers/projector.ts";
import { runHere } from "../../../helpers/run-here.ts";
import { ndjson, run } from "../../../helpers/vitrine.ts";

const test = suite("reconcile");

const at = (minute: number, more: { readonly sequence?: number } = {}) => ({
  time: `2026-11-20T10:${String(minute).padStart(2, "0")}:00Z`,
  ...more,
});
const money = (amount: string) => ({ amount, currency: "EUR" });

/** Events of a shop that missed many changes, with sequences. */
const shopEvents = (): readonly CloudEvent[] => [
  settingsUpdated({ name: "Old name" }, at(1)),
  robotsUpdated("User-agent: *\nDisallow: /cart\n", at(1)),
  categoryUpserted({ id: 1 }, at(1, { sequence: 5 })),
  categoryUpserted({ id: 2, parentId: 1 }, at(1, { sequence: 5 })),
  categoryUpserted({ id: 9 }, at(1)),
  productUpserted({ id: 1 }, at(2, { sequence: 900 })),
  productUpserted({ id: 2 }, at(2, { sequence: 900 })),
  productUpserted({ id: 3 }, at(2, { sequence: 900 })),
  productUpserted({ id: 4 }, at(2)),
  productUpserted({ id: 5 }, at(2)),
  productDeleted(5, at(3)),
  priceChanged({ productId: 1, price: money("5.00") }, at(4, { sequence: 70 })),
  stockChanged({ productId: 1, quantity: 3 }, at(4, { sequence: 70 })),
  stockChanged({ productId: 2, quantity: 3 }, at(4, { sequence: 70 })),
  stockChanged({ productId: 3, quantity: 3 }, at(4, { sequence: 70 })),
  pageUpserted({ id: 1, policy: "returns" }, at(5)),
  carrierUpserted({ id: 1 }, at(5)),
];

/** The shop at 10:30; the stock of product 3 is unknown. */
const snapshot = (): readonly CloudEvent[] => [
  settingsUpdated({ name: "New name" }, at(10)),
  robotsUpdated("User-agent: *\nDisallow: /cart\n", at(1)),
  // The two categories swap: between their events they form a cycle.
  categoryUpserted({ id: 1, parentId: 2 }, at(10, { sequence: 1 })),
  categoryUpserted({ id: 2, parentId: null }, at(10, { sequence: 1 })),
  productUpserted({ id: 1, price: money("12.90") }, at(2, { sequence: 4 })),
  productUpserted({ id: 2, name: "Renamed" }, at(20, { sequence: 4 })),
  productUpserted({ id: 3 }, at(2, { sequence: 4 })),
  productUpserted({ id: 5, descriptionHtml: "<p>Back.</p>" }, at(20)),
  productUpserted({ id: 6 }, at(20)),
  stockChanged({ productId: 1, quantity: 0 }, at(30, { sequence: 2 })),
  stockChanged({ productId: 2, quantity: 8 }, at(30, { sequence: 2 })),
  pageUpserted({ id: 1, policy: "returns", title: "Returns" }, at(5)),
];

const fileOf = (events: readonly unknown[]): string => {
  const path = join(mkdtempSync(join(tmpdir(), "vitrine-test-")), "snapshot.ndjson");
  writeFileSync(path, ndjson(events));
  return path;
};

interface ReconcileOutcome {
  readonly kinds: readonly Record<string, number | string>[];
  readonly differences: readonly { kind: string; key: number | string; finding: string }[];
  readonly published: { readonly accepted: number; readonly duplicates: number } | null;
  readonly behind: number | null;
}

/** A model of these events, and the command on it. */
const contextOn = async (log: EventLog, eventsAt: string, events = shopEvents()) => {
  const dataDir = join(temporaryDirectory().path, "data");
  await append(log, ...events);
  const projector = startProjector(dataDir, log);
  await projector.until(isLiveAt(events.length));
  const args = ["--data-dir", dataDir, "--events", eventsAt];
  return {
    dataDir,
    projector,
    reconcile: (file: string, ...more: string[]) => runHere(["reconcile", file, ...args, ...more]),
    async report(file: string, ...more: string[]) {
      const { code, stdout, stderr } = await runHere([
        "reconcile",
        file,
        "--json",
        ...args,
        ...more,
      ]);
      assert.is(stderr, "");
      return { code, shopEvents: JSON.parse(stdout) as ReconcileOutcome };
    },
    async caughtUp() {
      const { last } = await log.bounds();
      await projector.until(isLiveAt(last));
    },
  };
};

const journal = async () => {
  const address = `journal:${temporaryDirectory().path}/journal`;
  return { address, log: await openEventLog(address, { dataDir: "", now: Date.now }) };
};

const finds = ({ differences }: ReconcileOutcome): readonly string[] =>
  differences.map(({ kind, key, finding }) => `${kind} ${key} ${finding}`).sort();

const expected = [
  "category 1 different",
  "category 2 different",
  "category 9 left_over",
  "page 1 different",
  "price 1 different",
  "price 5 different",
  "price 6 different",
  "product 2 different",
  "product 4 left_over",
  "product 5 missing",
  "product 6 missing",
  "settings settings different",
  "stock 1 different",
];

/** Reports, corrects, and then finds no difference, on any log. */
const converges = async (log: EventLog, eventsAt: string): Promise<void> => {
  const context = await contextOn(log, eventsAt);
  const file = fileOf(snapshot());
  const before = await context.report(file);
  assert.is(before.code, 1);
  assert.equal(finds(before.shopEvents), expected);
  assert.is(
    before.shopEvents.kinds.find(({ kind }) => kind === "carrier"),
    undefined,
  );
  assert.is(before.shopEvents.kinds.find(({ kind }) => kind === "stock")?.omitted, 1);

  const published = await context.report(file, "--publish");
  assert.is(published.code, 0);
  assert.is(published.shopEvents.published?.accepted, expected.length);
  await context.caughtUp();
  const after = await context.report(file);
  assert.equal(finds(after.shopEvents), []);
  assert.is(after.code, 0);
  await context.projector.read((snapshot) => {
    assert.is(snapshot.shop()?.name, "New name");
    assert.equal(snapshot.product(1)?.offer.price, money("12.90"));
    assert.is(snapshot.product(1)?.offer.availability, "OUT_OF_STOCK");
    assert.is(snapshot.product(2)?.text.name, "Renamed");
    assert.is(
      snapshot.product(3)?.offer.availability,
      "IN_STOCK",
      "stock without a row in the snapshot stays",
    );
    assert.is(snapshot.product(4), undefined);
    assert.is(snapshot.product(5)?.description, "Back.");
    assert.equal(
      snapshot.categories().map(({ id, depth }) => [id, depth]),
      [
        [2, 1],
        [1, 2],
      ],
    );
    assert.is(snapshot.carriers().length, 1, "a kind without rows in the snapshot stays");
  });
  assert.is(context.projector.status().tally.rejected, 0);
  await context.projector.stop();
};

test("reconcile on the journal corrects what the shop missed, and finds nothing the second time", async () => {
  const { log, address } = await journal();
  await converges(log, address);
  await log.close();
});

test("reconcile on NATS corrects what the shop missed, and finds nothing the second time", async () => {
  const nats = await startNats();
  const log = await openEventLog(nats.url, { dataDir: "", now: Date.now });
  await converges(log, nats.url);
  await log.close();
  await nats.remove();
});

test("reconcile publishes the same correction once, however often it runs", async () => {
  const { log, address } = await journal();
  const context = await contextOn(log, address);
  await context.projector.stop();
  const file = fileOf(snapshot());
  const first = await context.report(file, "--publish");
  const second = await context.report(file, "--publish");
  assert.is(second.shopEvents.published?.accepted, 0);
  assert.is(second.shopEvents.published?.duplicates, first.shopEvents.published?.accepted);
  assert.is(second.shopEvents.behind, expected.length);
  await log.close();
});

test("reconcile skips entities that changed after the snapshot, and its corrections lose against them", async () => {
  const { log, address } = await journal();
  const context = await contextOn(log, address);
  await append(
    log,
    productPatched({ id: 2, name: "Younger" }, at(40)),
    productUpserted({ id: 7 }, at(40)),
  );
  await context.caughtUp();
  const file = fileOf(snapshot());
  const { shopEvents: report } = await context.report(file, "--publish");
  const found = finds(report);
  assert.ok(found.includes("product 2 newer"));
  assert.ok(found.includes("product 7 newer"));
  await context.caughtUp();
  assert.equal(finds((await context.report(file)).shopEvents), [
    "product 2 newer",
    "product 7 newer",
  ]);
  assert.is((await context.report(file)).code, 0);
  // With a later time of the snapshot they would count.
  const later = await context.report(file, "--taken", "2026-11-20T10:50:00Z");
  assert.equal(finds(later.shopEvents), ["product 2 different", "product 7 left_over"]);
  await append(log, productUpserted({ id: 6, name: "After" }, at(31)));
  await context.caughtUp();
  assert.is(await context.projector.read((snapshot) => snapshot.product(6)?.text.name), "After");
  await context.projector.stop();
  await log.close();
});

test("a correction within the millisecond of an event is compared by all digits", async () => {
  const { log, address } = await journal();
  const micro = (digits: string) => ({ time: `2026-11-20T10:00:00.123${digits}Z` });
  const context = await contextOn(log, address, [
    pageUpserted({ id: 1, title: "Old" }, micro("5")),
    pageUpserted({ id: 2, title: "Younger" }, micro("91")),
  ]);
  const file = fileOf([
    pageUpserted({ id: 1, title: "New" }, micro("9")),
    pageUpserted({ id: 2, title: "Older" }, micro("4")),
  ]);
  const { shopEvents: report } = await context.report(file, "--publish");
  assert.equal(finds(report), ["page 1 different", "page 2 newer"]);
  await context.caughtUp();
  await context.projector.read((snapshot) => {
    assert.equal([snapshot.page(1)?.title, snapshot.page(2)?.title], ["New", "Younger"]);
  });
  const earlier = await context.report(file, "--taken", "2026-11-20T10:00:00.12399Z");
  assert.equal(finds(earlier.shopEvents), ["page 2 different"]);
  await context.projector.stop();
  await log.close();
});

test("reconcile prints differences by kind and field", async () => {
  const { log, address } = await journal();
  const context = await contextOn(log, address);
  await append(log, carrierUpserted({ id: 2 }, at(6)));
  await context.projector.stop();
  await append(log, carrierUpserted({ id: 3 }, at(6)));
  const { code, stdout, stderr } = await run([
    ...["reconcile", fileOf(snapshot()), "--data-dir", context.dataDir, "--events", address],
  ]);
  assert.is(code, 1);
  assert.match(stdout, /^export of 2026-11-20T10:30:00.000Z$/m);
  assert.match(stdout, /^product: 5 in the export, 2 missing, 1 left over, 1 different$/m);
  assert.match(stdout, /^stock: 2 in the export, 1 different, 1 not in the export \(unchanged\)$/m);
  assert.match(stdout, /^robots: 1 in the export, all equal$/m);
  assert.match(
    stdout,
    / {2}product\/2: different\n {4}name: "Product 2" in the model, "Renamed" in/,
  );
  assert.match(stdout, /^13 differences; --publish appends the events that correct them$/m);
  assert.match(stderr, /the model is \d events? behind the log/);
  await log.close();
});

test("reconcile rejects a snapshot with an invalid line or a change event, and publishes nothing", async () => {
  const { log, address } = await journal();
  const context = await contextOn(log, address);
  await context.projector.stop();
  const lines = [
    ...snapshot(),
    productPatched({ id: 1, name: "x" }, at(12)),
    "nonsense",
    categoryUpserted({ id: 30, parentId: 30 }, at(12)),
  ];
  const { code, stdout, stderr } = await context.reconcile(fileOf(lines), "--publish");
  assert.is(code, 1);
  assert.match(stdout, /:13: type: shop\.product\.patched reports a change/);
  assert.match(stdout, /:14: line: /);
  assert.match(stdout, /:15: data\.parentId: .* its own parent/);
  assert.match(stderr, "nothing was compared: 3 lines are invalid");
  assert.is((await log.bounds()).last, shopEvents().length);
  await log.close();
});

test("reconcile deletes no fifth of the shop unless it is allowed to", async () => {
  const { log, address } = await journal();
  const events = Array.from({ length: 40 }, (_, id) => productUpserted({ id: id + 1 }, at(1)));
  const context = await contextOn(log, address, events);
  const file = fileOf(events.slice(0, 20));
  const refused = await context.reconcile(file, "--publish");
  assert.is(refused.code, 2);
  assert.match(refused.stderr, "20 of 40 product entities would be deleted");
  assert.is((await log.bounds()).last, 40);
  const { shopEvents: report } = await context.report(file, "--publish", "--allow-loss");
  assert.is(report.published?.accepted, 20);
  await context.caughtUp();
  assert.is(await context.projector.read((snapshot) => snapshot.counts().products), 20);
  await context.projector.stop();
  await log.close();
});

test("each misuse is reported in plain words", async () => {
  const { log, address } = await journal();
  const context = await contextOn(log, address);
  await context.projector.stop();
  await log.close();
  const file = fileOf(snapshot());
  const absent = await runHere(["reconcile", "/nowhere.ndjson", "--data-dir", context.dataDir]);
  assert.is(absent.code, 2);
  assert.match(absent.stderr, "cannot read /nowhere.ndjson: there is no such file");
  const nothing = await runHere(["reconcile", "-", "--data-dir", context.dataDir], { input: "\n" });
  assert.is(nothing.code, 2);
  assert.match(nothing.stderr, "standard input contains no event");
  const badTime = await context.reconcile(file, "--taken", "yesterday");
  assert.is(badTime.code, 2);
  assert.match(badTime.stderr, "--taken yesterday: give a time with its offset from UTC");
  const empty = await runHere([
    "reconcile",
    file,
    "--data-dir",
    join(temporaryDirectory().path, "d"),
  ]);
  assert.is(empty.code, 3);
  assert.match(empty.stderr, "holds no read model yet");
  // A forgotten --events must not start a journal with corrections of another log.
  const { log: another, address: elsewhere } = await journal();
  const foreign = await runHere([
    ...["reconcile", file, "--publish", "--data-dir", context.dataDir, "--events", elsewhere],
  ]);
  assert.is(foreign.code, 5);
  assert.match(foreign.stderr, "nothing was published: the model follows");
  assert.is((await another.bounds()).last, 0);
  await another.close();
});

test("reconcile and explain reject a model of another version, whose rows may have another form", async () => {
  const { log, address } = await journal();
  const context = await contextOn(log, address);
  await context.projector.stop();
  await log.close();
  const store = openStore(openDataDirectory(context.dataDir).live() ?? "", { readOnly: false });
  store.transaction((stored) => {
    const checkpoint = stored.get(tables.meta, "checkpoint");
    assert.ok(checkpoint);
    stored.put(tables.meta, "checkpoint", { ...checkpoint, projections: "product.0" });
  });
  await store.close();
  const commands = [
    ["reconcile", fileOf(snapshot())],
    ["explain", "product/1"],
  ];
  for (const command of commands) {
    const { code, stderr } = await runHere([
      ...[...command, "--data-dir", context.dataDir, "--events", address],
    ]);
    assert.is(code, 3, stderr);
    assert.match(stderr, "another version of Vitrine wrote");
  }
});

test.run();
