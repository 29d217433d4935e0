import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Chance } from "../bench/seeded.ts";
import { again, amount, chanceOf, effort, reportDone } from "../helpers/effort.ts";
import { oneOfEach, productUpserted, recordOf, settingsUpdated } from "../helpers/events.ts";
import { openModel } from "../helpers/model.ts";
import { openTestServer } from "../helpers/test-server.ts";
import { hostileValues } from "./mutate.ts";

const test = suite("hostile events");
const eventTotal = amount(1_500);
/** Maximum CPU time of one event in ms; the better of two attempts counts. */
const longest = 100;

const forms = 9;

const html = (chance: Chance, form = chance.below(forms)): string => {
  const depth = 10 ** (1 + chance.below(4));
  const made = [
    () => `${"<div>".repeat(depth)}x${"</div>".repeat(depth)}`,
    () => "<ul><li>".repeat(depth),
    () => `<table>${"<tr><td>a".repeat(depth)}`,
    () => `<p>${"<b><i>".repeat(depth)}x`,
    () => "<a href='javascript:alert(1)'>x</a><script>alert(1)</script><style>*{}</style>",
    () => `<img src=x onerror=alert(1)>${"&lt;script&gt;".repeat(depth / 10)}`,
    () => `${"[".repeat(depth)}](x)${"*".repeat(depth)}${"`".repeat(depth)}`,
    () => "<!--".repeat(depth),
    () => "&#0;&#x202e;&#xe0041;\u200b".repeat(depth / 10),
  ];
  return made[form]?.() ?? "";
};

/** A valid event with one or two members replaced, or damaged bytes. */
const hostile = (at: number, chance: Chance) => {
  const event = structuredClone(chance.pick(oneOfEach())) as unknown as Record<string, unknown>;
  const data = event.data as Record<string, unknown>;
  event.id = `hostile-${at}`;
  for (let left = chance.below(3); left > 0; left -= 1) {
    const [holder, key] = chance.pick([
      [data, chance.pick(Object.keys(data))],
      [data, chance.pick(Object.keys(data))],
      [event, chance.pick(Object.keys(event))],
    ] as const);
    if (key.endsWith("Html")) holder[key] = html(chance);
    else holder[key] = chance.pick(hostileValues);
  }
  const record = recordOf(event as never, at, Date.UTC(2026, 9, 1));
  if (chance.below(5) > 0) return record;
  const body = Buffer.from(record.body);
  for (let left = 1 + chance.below(3); left > 0; left -= 1)
    body[chance.below(body.length)] = chance.below(256);
  return {
    ...record,
    body: chance.below(3) === 0 ? body.subarray(0, chance.below(body.length)) : body,
  };
};

test(`${eventTotal} hostile events: each is applied or a dead letter, the count is exact, none takes over ${longest} ms`, async () => {
  const model = openModel();
  const chance = chanceOf("events");
  model.apply(settingsUpdated(), productUpserted());
  const ends = { applied: 0, stale: 0, repeated: 0, rejected: 0 };
  let letters = 0;
  for (let at = 3; at < eventTotal + 3; at += 1) {
    const record = hostile(at, chance);
    const begun = performance.now();
    const batch = model.deliver([record]);
    let milliseconds = performance.now() - begun;
    const what = `event ${at}: ${again("test/torture/events.test.ts")}`;
    if (milliseconds > longest) {
      const other = openModel();
      const varied = performance.now();
      other.deliver([record]);
      milliseconds = Math.min(milliseconds, performance.now() - varied);
      await other.close();
    }
    assert.ok(milliseconds <= longest, `${milliseconds} ms, ${what}`);
    for (const end of Object.keys(ends) as (keyof typeof ends)[]) ends[end] += batch[end];
    letters += batch.deadLetters.length;
    assert.is(batch.checkpoint.sequence, at, what);
    reportDone(at - 2);
  }
  const { applied, stale, repeated, rejected } = ends;
  assert.is(applied + stale + repeated + rejected, eventTotal);
  assert.is(letters, rejected);
  assert.ok(applied > eventTotal / 10 && rejected > eventTotal / 10, JSON.stringify(ends));
  await model.close();
});

/** Creates this many non-ASCII letters. */
const han = (count: number): string =>
  String.fromCodePoint(...Array.from({ length: count }, (_, at) => 0x4e00 + ((at * 31) % 20_000)));

const longPath = `/${"a".repeat(2_000)}`;

/** Texts of maximum length that are expensive for code that scans from each of their letters. */
const longTexts: Readonly<Record<string, object>> = {
  "letters without a break, and a stroke": {
    specifications: [
      { name: "Code", value: "A-1" },
      ...Array.from({ length: 20 }, (_, at) => ({ name: `n${at}`, value: "a".repeat(10_000) })),
    ],
  },
  "characters that stand for four letters each": {
    specifications: [{ name: "Code", value: `A-1 ${"\u3300".repeat(9_000)}` }],
  },
  "marks upon each other": {
    specifications: Array.from({ length: 40 }, (_, at) => ({
      name: `n${at}`,
      value: `a-1${"\u0301".repeat(4_900)}${"\u0316".repeat(4_900)}`,
    })),
  },
  "words without number": {
    specifications: Array.from({ length: 90 }, (_, at) => ({
      name: `n${at}`,
      value: Array.from({ length: 1_600 }, (_, word) => `${(1_600 * at + word).toString(36)}x`)
        .join(" ")
        .slice(0, 9_999),
    })),
  },
  "code without a space": { descriptionHtml: `<p>x<code><br>${"a".repeat(250_000)}</code></p>` },
  "comments in an address": {
    descriptionHtml: `<a href="${"a".repeat(100_000)}${"<!---->".repeat(19_000)}">x</a>`,
  },
  "code in lists in lists": {
    descriptionHtml: `${'<ol start="0.12345678901234567"><li>'.repeat(30)}<pre>${"a\n".repeat(100_000)}</pre>`,
  },
  "a fence of 60,000 marks": {
    descriptionHtml: `<pre>a${"`".repeat(60_000)}</pre><p>Behind it</p>`,
  },
  "links to names of a thousand letters": {
    descriptionHtml: Array.from(
      { length: 240 },
      () => `<a href="https://${han(1_000)}/">x</a>`,
    ).join(""),
  },
  "a link to a percent-encoded name": {
    descriptionHtml: `<a href="https://${encodeURIComponent(han(27_000))}/">x</a>`,
  },
  "addresses relative to a long one": {
    url: `https://shop.example${longPath}`,
    descriptionHtml: "](a) ".repeat(50_000),
  },
  "images at names of as many letters as there may be": {
    images: Array.from({ length: 1_000 }, (_, at) => ({
      url: `https://${[63, 63, 63, 50].map(han).join(".")}/${at}`,
    })),
  },
  "superscripts without end": { descriptionHtml: `<p>${"a<sup>1,2</sup>".repeat(10_000)}` },
  "struck-out text without end": {
    descriptionHtml: `<p>${"a<del> b </del><s>c</s>".repeat(5_000)}`,
  },
  "a style that strikes out, over and over": {
    descriptionHtml: `<p style="${"text-decoration:line-".repeat(12_000)}">x`,
  },
  "cells over thousands of rows and columns": {
    descriptionHtml: `<table>${"<tr><td rowspan=65534 colspan=1000>a</td><td colspan=1000>b</td></tr>".repeat(600)}`,
  },
  "CDATA sections within each other": {
    descriptionHtml: `${"<![CDATA[".repeat(20_000)}x${"]]>".repeat(20_000)}`,
  },
  "line separators in a description": {
    descriptionHtml: `<p>Hi ${`${"\u2028".repeat(30)}&gt;`.repeat(2_000)}</p>`,
  },
};

for (const [name, members] of Object.entries(longTexts)) {
  test(`${name}: neither the projector nor a page takes long`, async () => {
    const service = await openTestServer();
    service.apply(settingsUpdated());
    const begun = performance.now();
    service.apply(productUpserted({ id: 7, ...members }));
    const eventTotal = performance.now();
    const { status } = await service.get(`${"url" in members ? longPath : "/products/7"}.md`);
    assert.is(status, 200);
    const [taken, shown] = [eventTotal - begun, performance.now() - eventTotal];
    assert.ok(taken < 10 * longest, `${taken} ms to apply`);
    assert.ok(shown < 2 * longest, `${shown} ms to show`);
    await service.close();
  });
}

test("a shop of hostile events is served on every surface without an error", async () => {
  const service = await openTestServer();
  const chance = chanceOf("hostile shop");
  service.apply(settingsUpdated());
  // Most other events are dead letters.
  for (let id = 1; id <= forms; id += 1) {
    service.apply(productUpserted({ id, descriptionHtml: html(chance, id - 1) }));
  }
  for (let id = forms + 1; id <= effort(60, 200); id += 1) {
    const text = () =>
      String(chance.pick(hostileValues.filter((value) => typeof value === "string")));
    service.apply(
      productUpserted({
        id,
        name: text() || "x",
        brand: text(),
        descriptionHtml: html(chance),
        reference: text(),
      }),
    );
  }
  const { data } = await service.graphql<{
    products: { totalCount: number; edges: { node: { id: string; url: string } }[] };
  }>(
    "{ products(first: 100) { totalCount edges { node { id name description brand reference url } } } }",
  );
  assert.ok(data.products.totalCount > 10, `${data.products.totalCount} products`);
  for (const { node } of data.products.edges) {
    const page = await service.get(`${new URL(node.url).pathname}.md`);
    assert.is(page.status, 200, node.id);
    const text = await page.text();
    // An escaped tag is text.
    const slipped = /\]\(\s*javascript:|(?<!\\)<script|[\u202a-\u202e\u2066-\u2069\u200b\0]/i.exec(
      text,
    );
    assert.not(slipped, `${node.id}: ${text.slice((slipped?.index ?? 0) - 50).slice(0, 200)}`);
  }
  for (const path of [
    "/llms.txt",
    "/agent-sitemap.xml",
    "/openapi.json",
    "/auth.md",
    "/index.md",
  ]) {
    const response = await service.get(path);
    await response.arrayBuffer();
    assert.ok(response.status < 500, `${path} is ${response.status}`);
  }
  await service.close();
});

test.run();
