import { once } from "node:events";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DiscardPolicy } from "nats";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { PublishReport } from "../../../src/cli/commands/publish.ts";
import { openJournal } from "../../../src/event-log/journal/index.ts";
import { openEventLog } from "../../../src/event-log/open.ts";
import { type CloudEvent, toMessage } from "../../../src/events/envelope.ts";
import { openDataDirectory } from "../../../src/read-model/generations/data-directory.ts";
import { temporaryDirectory } from "../../helpers/directory.ts";
import {
  categoryUpserted,
  priceChanged,
  productPatched,
  productUpserted,
  settingsUpdated,
  stockChanged,
} from "../../helpers/events.ts";
import { natsOperator, startNats } from "../../helpers/nats.ts";
import { isLiveAt, startProjector } from "../../helpers/projector.ts";
import { runHere } from "../../helpers/run-here.ts";
import { ndjson, run } from "../../helpers/vitrine.ts";

const test = suite("publish and lint");

/** A directory with event files and the path of a data directory. */
const workplace = (files: Readonly<Record<string, string>>) => {
  const { path } = temporaryDirectory();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  const dataDir = join(path, "data");
  return { dataDir, file: (name: string) => join(path, name), env: { DATA_DIR: dataDir } };
};
const good = ndjson([settingsUpdated(), productUpserted(), stockChanged()]);
const bad = ndjson([
  productUpserted({ id: 7 }),
  { ...productUpserted(), data: { id: 8 } },
  "not JSON",
]);
const jsonOf = ({ stdout }: { stdout: string }) => JSON.parse(stdout) as PublishReport;

test("publish appends a valid file and prints the number of events", async () => {
  const { env, file, dataDir } = workplace({ "shop.ndjson": good });
  const first = await run(["publish", file("shop.ndjson")], { env });
  assert.is(first.code, 0, first.stderr);
  assert.is(first.stdout, `published 3 events to journal ${dataDir}/journal\n`);
  assert.is(first.stderr, "");
});

test("publish does not append events that the log already has", async () => {
  const { env, file } = workplace({ "shop.ndjson": good });
  await runHere(["publish", file("shop.ndjson")], { env });
  const again = await runHere(["publish", file("shop.ndjson"), "--json"], { env });
  assert.is(again.code, 0);
  assert.equal(jsonOf(again), {
    accepted: 0,
    duplicates: 3,
    refused: [],
    refusedCount: 0,
    warnings: [],
    lastSequence: 3,
  });
  const text = await runHere(["publish", file("shop.ndjson")], { env });
  assert.match(text.stdout, "published 0 events to");
  assert.match(text.stdout, "3 were already there");
});

test("publish rejects all files when one line is invalid, naming line, field and reason", async () => {
  const { env, file, dataDir } = workplace({ "good.ndjson": good, "bad.ndjson": bad });
  const { code, stdout, stderr } = await runHere(
    ["publish", file("good.ndjson"), file("bad.ndjson")],
    {
      env,
    },
  );
  assert.is(code, 1);
  const [missing = "", noJson = "", ...rest] = stdout.trim().split("\n");
  assert.match(missing, `${file("bad.ndjson")}:2: data.name: `);
  assert.match(noJson, `${file("bad.ndjson")}:3: line: the body must be JSON`);
  assert.equal(rest, []);
  assert.match(stderr, "nothing was published: 2 lines were refused");
  assert.not(existsSync(dataDir), "a rejected file creates nothing");
});

test("publish --json prints rejected lines as JSON", async () => {
  const { env, file } = workplace({ "bad.ndjson": bad });
  const { code, stdout, stderr } = await runHere(["publish", "--json", file("bad.ndjson")], {
    env,
  });
  assert.is(code, 1);
  assert.is(stderr, "");
  const { accepted, refused, refusedCount } = JSON.parse(stdout) as PublishReport;
  assert.is(accepted, 0);
  assert.is(refusedCount, 2);
  assert.equal(
    refused.map(({ file: name, line, field }) => [name, line, field]),
    [
      [file("bad.ndjson"), 2, "data.name"],
      [file("bad.ndjson"), 3, null],
    ],
  );
});

test("publish --skip-invalid appends the valid lines, and reports the invalid ones", async () => {
  const { env, file } = workplace({ "bad.ndjson": bad });
  const { code, stdout } = await runHere(["publish", "--skip-invalid", file("bad.ndjson")], {
    env,
  });
  assert.is(code, 1);
  assert.match(stdout, "bad.ndjson:2: data.name:");
  assert.match(stdout, "published 1 event to");
  assert.match(stdout, "2 lines were refused");
});

test("publish shows the first twenty invalid lines and counts the rest", async () => {
  const { env, file } = workplace({ "bad.ndjson": "{}\n".repeat(50) });
  const { stdout } = await runHere(["publish", file("bad.ndjson")], { env });
  const lines = stdout.trim().split("\n");
  assert.is(lines.length, 21);
  assert.is(lines.at(-1), "… and 30 more lines");
});

test("publish reports that standard input cannot be stored, as an error of the system", async () => {
  const env = { ...workplace({}).env, TMPDIR: "/nonexistent" };
  const { code, stderr } = await run(["publish", "-"], { input: good, env });
  assert.is(code, 3);
  assert.match(stderr, "cannot keep standard input in /nonexistent: ENOENT");
  assert.match(stderr, "TMPDIR");
});

test("publish reads standard input, and leaves no temporary file", async () => {
  const { env } = workplace({});
  const before = readdirSync(tmpdir()).filter((name) => /^vitrine-.{6}$/.test(name));
  const taken = await run(["publish", "-", "--json"], { env, input: good });
  assert.is(jsonOf(taken).accepted, 3);
  const refused = await run(["publish", "-"], { env, input: bad });
  assert.is(refused.code, 1);
  assert.match(refused.stdout, "standard input:2: data.name:");
  const after = readdirSync(tmpdir()).filter((name) => /^vitrine-.{6}$/.test(name));
  assert.equal(after, before);
});

test("publish appends to a stream of a broker, and creates it when it is missing", async () => {
  const nats = await startNats();
  const args = ["--events", nats.url, "--nats-stream", "CATALOGUE", "--json"];
  const first = await runHere(["publish", "-", ...args], { input: good });
  assert.is(first.code, 0, first.stderr);
  assert.is(jsonOf(first).lastSequence, 3);
  const second = await runHere(["publish", "-", ...args], { input: ndjson([priceChanged()]) });
  assert.is(jsonOf(second).lastSequence, 4);
  const tail = await runHere(["tail", "--events", nats.url, "--nats-stream", "OTHER"]);
  assert.is(tail.code, 4);
  assert.match(tail.stderr, "stream OTHER: unknown stream\n  -> publish to it first");
  await nats.remove();
});

test("publish reports at once that a stream is full, and goes on when it has room", async () => {
  const nats = await startNats();
  const { env, file } = workplace({ "shop.ndjson": good });
  const operator = await natsOperator(nats.url);
  const full = { name: "SHOP", subjects: ["shop.>"], max_msgs: 2, discard: DiscardPolicy.New };
  const { config } = await operator.streams.add(full);
  const onNats = { env: { ...env, EVENTS: nats.url } };
  const started = performance.now();
  const { code, stderr } = await runHere(["publish", file("shop.ndjson")], onNats);
  const took = performance.now() - started;
  assert.is(code, 4, stderr);
  assert.match(stderr, "maximum messages exceeded");
  assert.match(stderr, "raise the stream's limits");
  assert.not.match(stderr, "nobody");
  assert.ok(took < 15_000, `after ${took} ms`);
  await operator.streams.update("SHOP", { ...config, max_msgs: -1 });
  const again = await runHere(["publish", file("shop.ndjson"), "--json"], onNats);
  assert.is(jsonOf(again).accepted, 1, again.stderr);
  await operator.disconnect();
  await nats.remove();
});

test("publish creates no journal next to the model of a stream", async () => {
  const nats = await startNats();
  const { env, file, dataDir } = workplace({ "shop.ndjson": good });
  const stream = { ...env, EVENTS: nats.url };
  await runHere(["publish", file("shop.ndjson")], { env: stream });
  const log = await openEventLog(nats.url, { dataDir, now: Date.now, stream: "SHOP" });
  const projector = startProjector(dataDir, log);
  await projector.until(isLiveAt(3));
  await projector.stop();
  await log.close();
  const { code, stderr } = await runHere(["publish", file("shop.ndjson")], { env });
  assert.is(code, 5, stderr);
  assert.match(stderr, "follows the event log SHOP, and does not read events from a journal");
  assert.match(stderr, "--events");
  assert.not(existsSync(join(dataDir, "journal")));
  assert.is((await runHere(["publish", file("shop.ndjson")], { env: stream })).code, 0);
  await nats.remove();
});

test("a path that is not a file and cannot be opened is named as a usage error", async () => {
  const { env, file } = workplace({});
  const socket = createServer().listen(file("shop.sock"));
  await once(socket, "listening");
  const { code, stderr } = await runHere(["publish", file("shop.sock")], { env });
  assert.is(code, 2);
  assert.match(stderr, `cannot read ${file("shop.sock")}: ENXIO`);
  socket.close();
});

test("an unreadable file is named", async () => {
  const { env, file } = workplace({});
  const { code, stderr } = await runHere(["publish", file("absent.ndjson")], { env });
  assert.is(code, 2);
  assert.is(stderr, `vitrine: cannot read ${file("absent.ndjson")}: there is no such file\n`);
});

test("lint and publish warn of links to an empty basket and of two products at one URL", async () => {
  const { env } = workplace({});
  const url = "https://shop.example/p/1";
  const way = { template: "/cart/{items}", item: "{sku}:{quantity}", separator: "," };
  const input = ndjson([
    settingsUpdated({ checkoutLink: way }),
    productUpserted({ id: 1, url }),
    productUpserted({ id: 2, url }),
    productUpserted({ id: 1, url: "https://shop.example/p/one" }),
    productUpserted({ id: 3, url }),
    productUpserted({ id: 3, url }),
  ]);
  for (const command of ["lint", "publish"]) {
    const { code, stdout, stderr } = await runHere([command, "-", "--json"], { env, input });
    assert.is(code, 0, stderr);
    const { warnings } = JSON.parse(stdout);
    assert.equal(
      warnings.map(({ line, field }: { line: number; field: string }) => [line, field]),
      [
        [1, "data.checkoutLink.item"],
        [3, "data.url"],
        [5, "data.url"],
      ],
    );
  }
  assert.match(
    (await runHere(["lint", "-"], { env, input })).stdout,
    "warning: product 1 has the same",
  );
});

/** Two events with the same source and id. */
const first = productUpserted({ id: 1, name: "A" }, { id: "x" });
const another = productUpserted({ id: 2, name: "B" }, { id: "x" });
/** The same JSON with members in another sequence and another spelling. */
const turned = (event: object): string =>
  JSON.stringify(Object.fromEntries(Object.entries(event).reverse()), null, 1).replaceAll("\n", "");
const usedBy = (user: string) =>
  `id "x" of source "/shops/test" was used by ${user} for another event: give each event an id of its own`;

test("lint and publish reject another event with the source and id of an earlier line", async () => {
  const { env, dataDir } = workplace({});
  const input = ndjson([settingsUpdated(), first, another, productUpserted({ id: 3 })]);
  for (const command of ["lint", "publish"]) {
    const { code, stdout } = await runHere([command, "-"], { env, input });
    assert.is(code, 1);
    assert.match(stdout, `standard input:3: id: ${usedBy("line 2")}`);
  }
  assert.not(existsSync(dataDir), "nothing was appended");
  const skipping = await runHere(["publish", "-", "--skip-invalid", "--json"], { env, input });
  assert.is(skipping.code, 1);
  const { accepted, refused } = jsonOf(skipping);
  assert.equal([accepted, refused.map(({ line }) => line)], [3, [3]]);
});

test("lint and publish name the file of the earlier line when it is another file", async () => {
  const { env, file } = workplace({
    "one.ndjson": ndjson([settingsUpdated(), first]),
    "two.ndjson": ndjson([another]),
  });
  for (const command of ["lint", "publish"]) {
    const files = [file("one.ndjson"), file("two.ndjson")];
    const { code, stdout } = await runHere([command, ...files, "--json"], { env });
    assert.is(code, 1);
    assert.equal(jsonOf({ stdout }).refused, [
      {
        file: file("two.ndjson"),
        line: 1,
        field: "id",
        reason: usedBy(`line 2 of ${file("one.ndjson")}`),
      },
    ]);
  }
});

test("an equal event with the same source and id is a duplicate, with members in any sequence", async () => {
  const { env } = workplace({});
  const input = `${ndjson([first, first])}${turned(first)}\n`;
  const { code, stdout } = await runHere(["publish", "-", "--json"], { env, input });
  assert.is(code, 0, stdout);
  assert.equal([jsonOf({ stdout }).accepted, jsonOf({ stdout }).duplicates], [1, 2]);
  const again = await runHere(["publish", "-", "--json"], { env, input: turned(first) });
  assert.equal([again.code, jsonOf(again).duplicates], [0, 1]);
  assert.is((await runHere(["lint", "-"], { env, input })).code, 0);
});

test("lint finds the earlier line by its position, also after a byte order mark and CRLF", async () => {
  const { env } = workplace({});
  const lines = [first, productUpserted({ id: 5 }, { id: "y" }), "", productUpserted({ id: 6 })];
  const text = ndjson(lines).replaceAll("\n", "\r\n");
  const input = `\ufeff${text}${turned(first)}\n${ndjson([productUpserted({ id: 7 }, { id: "y" })])}`;
  const { code, stdout } = await runHere(["lint", "-", "--json"], { env, input });
  assert.is(code, 1);
  assert.equal(
    jsonOf({ stdout }).refused.map(({ line, reason }) => [line, reason.includes("line 2")]),
    [[6, true]],
  );
});

test("two sources may use one id", async () => {
  const { env } = workplace({});
  const input = ndjson([first, { ...another, source: "/erp" }]);
  assert.is((await runHere(["lint", "-"], { env, input })).code, 0);
  const { code, stdout } = await runHere(["publish", "-", "--json"], { env, input });
  assert.equal([code, jsonOf({ stdout }).accepted, jsonOf({ stdout }).duplicates], [0, 2, 0]);
});

test("publish rejects another event with a source and id in the journal, and appends nothing", async () => {
  const { env } = workplace({});
  await runHere(["publish", "-"], { env, input: ndjson([settingsUpdated(), first]) });
  const input = ndjson([productUpserted({ id: 7 }), another]);
  const { code, stdout, stderr } = await runHere(["publish", "-"], { env, input });
  assert.is(code, 1);
  assert.match(stdout, `standard input:2: id: ${usedBy("event 2 of the log")}`);
  assert.match(stderr, "nothing was published: 1 line was refused");
  const skipping = await runHere(["publish", "-", "--skip-invalid", "--json"], { env, input });
  assert.is(skipping.code, 1);
  assert.equal([jsonOf(skipping).accepted, jsonOf(skipping).lastSequence], [1, 3]);
});

test("publish rejects another event with a source and id at a broker, and appends the others", async () => {
  const nats = await startNats();
  const env = { ...workplace({}).env, EVENTS: nats.url };
  const other = stockChanged();
  await runHere(["publish", "-"], { env, input: ndjson([other, first]) });
  const input = ndjson([another, productUpserted({ id: 7 }), turned(other)]);
  const { code, stdout } = await runHere(["publish", "-"], { env, input });
  assert.is(code, 1, stdout);
  assert.match(stdout, `standard input:1: id: ${usedBy("event 2 of the log")}`);
  assert.match(stdout, "published 1 event to");
  assert.match(stdout, "1 were already there, 1 line was refused");
  const log = await openEventLog(nats.url, { dataDir: "", now: Date.now });
  assert.is((await log.bounds()).last, 3);
  await log.close();
  await nats.remove();
});

test("publish does not append again what an earlier version appended with the event's id alone", async () => {
  const { env, dataDir } = workplace({});
  openDataDirectory(dataDir);
  const log = openJournal({ directory: join(dataDir, "journal"), now: Date.now });
  await log.append([settingsUpdated({}, { id: "s" }), first].map(underBareId));
  await log.close();
  const input = ndjson([first, { ...another, source: "/erp" }]);
  const { stdout, stderr } = await runHere(["publish", "-", "--json"], { env, input });
  assert.is(stderr, "");
  assert.equal([jsonOf({ stdout }).accepted, jsonOf({ stdout }).duplicates], [1, 1]);
  const conflicting = await runHere(["publish", "-"], { env, input: ndjson([another]) });
  assert.match(conflicting.stdout, usedBy("event 2 of the log"));
});

const underBareId = (event: CloudEvent) => ({ ...toMessage(event), id: event.id });

const warningsIn = async (events: readonly CloudEvent[]) => {
  const { code, stdout, stderr } = await runHere(["lint", "-", "--json"], {
    input: ndjson(events),
  });
  assert.is(code, 0, stderr);
  const { warnings } = JSON.parse(stdout) as PublishReport;
  return warnings.map(({ line, field, reason }) => [line, field, reason] as const);
};

test("lint and publish warn of a price in a foreign currency", async () => {
  const dollars = { amount: "6.00", currency: "USD" };
  const warnings = await warningsIn([
    productUpserted({ id: 1, price: dollars }),
    productUpserted({ id: 2 }),
    settingsUpdated({ currency: "EUR" }),
    productUpserted({ id: 3 }),
    priceChanged({ productId: 3, price: dollars }),
    priceChanged({ productId: 3, price: null }),
    productPatched({ id: 3, price: { currency: "CHF" } }),
  ]);
  assert.equal(
    warnings.map(([line, field]) => [line, field]),
    [
      [1, "data.price.currency"],
      [5, "data.price.currency"],
      [7, "data.price.currency"],
    ],
  );
  assert.match(warnings[0]?.[2] ?? "", "the price is in USD, and the shop's currency is EUR");
  assert.equal(await warningsIn([priceChanged({ price: dollars })]), [], "without settings");
});

test("lint warns of a cycle of categories at the end of the file", async () => {
  const at = (minute: number) => ({ time: `2026-10-01T08:0${minute}:00Z` });
  const circle = [
    categoryUpserted({ id: 10, parentId: null }, at(0)),
    categoryUpserted({ id: 11, parentId: 10 }, at(1)),
    categoryUpserted({ id: 10, parentId: 11 }, at(2)),
    categoryUpserted({ id: 12, parentId: 11 }, at(2)),
  ];
  const [warning, ...others] = await warningsIn(circle);
  assert.equal(others, []);
  assert.equal(warning?.slice(0, 2), [3, "data.parentId"]);
  assert.match(warning?.[2] ?? "", "categories 10, 11 are each other's parents in a circle");
  const mended = [...circle, categoryUpserted({ id: 11, parentId: null }, at(3))];
  assert.equal(await warningsIn(mended), [], "a cycle that a later event resolves");
  const older = [...circle, categoryUpserted({ id: 11, parentId: null }, at(0))];
  assert.is((await warningsIn(older)).length, 1, "an event that arrives too late resolves none");
});

test("lint and publish reject a category that names itself as its parent", async () => {
  const { env } = workplace({});
  const input = ndjson([categoryUpserted({ id: 4, parentId: 4 }), categoryUpserted({ id: 5 })]);
  for (const command of ["lint", "publish"]) {
    const { code, stdout } = await runHere([command, "-"], { env, input });
    assert.is(code, 1);
    assert.match(stdout, "standard input:1: data.parentId: data.parentId is the category itself");
  }
  const skipping = await runHere(["publish", "-", "--skip-invalid", "--json"], { env, input });
  assert.is(jsonOf(skipping).accepted, 1);
});

test("lint compares the prices and stock of all its files, and warns at the end of options", async () => {
  const options = [{ name: "Size", values: ["S", "M"] }];
  const variants = [{ id: 11, options: [{ name: "Size", value: "S" }] }];
  const reduced = { amount: "9.00", currency: "EUR" };
  const { env, file } = workplace({
    "catalogue.ndjson": ndjson([
      settingsUpdated({ listPriceKind: "former" }),
      productUpserted({ options, variants }),
      stockChanged(),
    ]),
    "changes.ndjson": ndjson([
      priceChanged({ price: reduced, listPrice: { amount: "12.90", currency: "EUR" } }),
      priceChanged({ price: reduced, listPrice: { amount: "12.91", currency: "EUR" } }),
      stockChanged({ variantId: 11 }),
    ]),
  });
  const paths = ["catalogue.ndjson", "changes.ndjson"].map(file);
  const { stdout } = await runHere(["lint", "--json", ...paths], { env });
  const { warnings } = JSON.parse(stdout) as PublishReport;
  assert.equal(
    warnings.map((warning) => [warning.file, warning.line, warning.field]),
    [
      [paths[0], 2, "data.options"],
      [paths[1], 2, "data.listPrice"],
      [paths[1], 3, "data.productId"],
    ],
  );
});

test("lint checks the same without appending", async () => {
  const { env, file, dataDir } = workplace({ "good.ndjson": good, "bad.ndjson": bad });
  const fine = await runHere(["lint", file("good.ndjson")], { env });
  assert.is(fine.code, 0);
  assert.is(fine.stdout, `${file("good.ndjson")}: 3 good events\n`);
  const refused = await run(["lint", file("good.ndjson"), file("bad.ndjson")], { env });
  assert.is(refused.code, 1);
  assert.match(refused.stdout, "bad.ndjson:2: data.name:");
  assert.match(refused.stdout, "bad.ndjson: 1 good event, 2 bad lines");
  assert.not(existsSync(dataDir));
});

test("lint warns of a time in the future, which is not an error", async () => {
  const { env } = workplace({});
  const ahead = settingsUpdated({}, { time: "2999-01-01T00:00:00Z" });
  const { code, stdout } = await runHere(["lint", "-", "--json"], { env, input: ndjson([ahead]) });
  assert.is(code, 0);
  const { valid, warnings } = JSON.parse(stdout);
  assert.ok(valid);
  assert.is(warnings.length, 1);
  assert.is(warnings[0].field, "time");
});

test.run();
