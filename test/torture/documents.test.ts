import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { temporaryDirectory } from "../helpers/directory.ts";
import { again, amount, chanceOf, effort, reportDone, reportMeasured } from "../helpers/effort.ts";
import { publishTo } from "../helpers/publish.ts";
import { type RunningVitrine, startVitrine } from "../helpers/vitrine.ts";
import { bytesOf, type Exchange, exchange, json, portOf } from "../helpers/wire.ts";
import { type Growing, randomDocument } from "./random-documents.ts";
import { variantCatalogue } from "./variant-catalogue.ts";

interface Shape {
  readonly products: number;
  readonly variants: number;
  readonly attributes: number;
  /** Maximum time in ms of a response and of the wait of another client, as promised. */
  readonly maxMs: number;
}

/** Shops whose documents take longest: filters compare all variants, and a product of 500 is read as one row. */
const shapes: readonly Shape[] = [
  { products: effort(4_000, 20_000), variants: 5, attributes: 8, maxMs: effort(400, 1_000) },
  { products: 100, variants: 500, attributes: 40, maxMs: 400 },
];

/** The best of some attempts counts, because the machine does other work too. */
const mostAttempts = 7;

const post = (query: string): Buffer =>
  bytesOf({
    method: "POST",
    target: "/graphql",
    headers: [["Content-Type", "application/json"]],
    body: json({ query }),
  });

const small = bytesOf({ method: "GET", target: "/robots.txt", headers: [], body: Buffer.alloc(0) });

interface Met {
  readonly response: Exchange;
  readonly milliseconds: number;
  /** Wait of another client whose request arrives right after. */
  readonly otherMs: number;
}

/** Sends a document that no cache knows, and a small request of another client. */
const meet = async (port: number, query: string): Promise<Met> => {
  const answering = exchange(port, post(query), 10_000);
  await delay(2);
  const [response, other] = await Promise.all([answering, exchange(port, small, 10_000)]);
  return { response, milliseconds: response.milliseconds, otherMs: other.milliseconds };
};

const best = async (port: number, query: string, maxMs: number): Promise<Met> => {
  const isSoon = ({ milliseconds, otherMs }: Met): boolean =>
    Math.max(milliseconds, otherMs) <= maxMs;
  let met = await meet(port, query);
  for (let attempt = 1; attempt < mostAttempts && !isSoon(met); attempt += 1) {
    const next = await meet(port, `${query} #${attempt}`);
    const milliseconds = Math.min(met.milliseconds, next.milliseconds);
    met = { ...next, milliseconds, otherMs: Math.min(met.otherMs, next.otherMs) };
  }
  return met;
};

const isRefused = ({ answer }: Exchange): boolean => answer.includes("The document is too large");

/** Sizes that a document grows through, up to the first that is refused. */
const sizes = [1, 2, 3, 5, 8, 12, 20, 28];

/** Sends a document with growing sizes, up to the first that is refused. */
const growDocument = async (port: number, grow: Growing) => {
  let largest = grow(1);
  for (const size of sizes) {
    const { response } = await meet(port, grow(size));
    assert.is(response.status, 200);
    if (isRefused(response)) return { largest, isAtCeiling: true };
    assert.match(response.answer, '{"data":{', grow(size));
    largest = grow(size);
  }
  return { largest, isAtCeiling: false };
};

const documents = Math.ceil(amount(60) / shapes.length);

for (const shape of shapes) {
  const name = `${shape.products} products with ${shape.variants} variants each`;
  const test = suite<{ service: RunningVitrine; port: number }>(`documents: ${name}`);

  test.before(async (context) => {
    const dataDir = join(temporaryDirectory().path, "data");
    await publishTo(dataDir, variantCatalogue(shape));
    context.service = await startVitrine([], { dataDir, env: { RATE_LIMIT: "100000000" } });
    await context.service.ready(600);
    context.port = portOf(context.service.url);
  });
  test.after(async ({ service }) => {
    await service?.stop();
  });

  test(`${documents} random documents, each as large as the ceilings allow: answered within ${shape.maxMs} ms, no other client waits longer, with ${name}`, async ({
    service,
    port,
  }) => {
    const chance = chanceOf(`documents of ${name}`);
    const met: Met[] = [];
    let refusals = 0;
    for (let turn = 0; turn < documents; turn += 1) {
      const { largest, isAtCeiling } = await growDocument(port, randomDocument(chance));
      if (isAtCeiling) refusals += 1;
      const each = await best(port, `${largest} #${turn}`, shape.maxMs);
      const problem = `${JSON.stringify(largest)}\n${again("test/torture/documents.test.ts")}`;
      assert.ok(each.milliseconds <= shape.maxMs, `took ${each.milliseconds} ms: ${problem}`);
      assert.ok(each.otherMs <= shape.maxMs, `another waited ${each.otherMs} ms: ${problem}`);
      met.push(each);
      reportDone(turn + 1);
    }
    assert.ok(refusals > documents / 4, `only ${refusals} documents reached a ceiling`);
    const worst = Math.max(...met.map(({ milliseconds }) => milliseconds)).toFixed();
    const wait = Math.max(...met.map(({ otherMs }) => otherMs)).toFixed();
    reportMeasured(`worst response ${worst} ms, worst wait of another client ${wait} ms`);
    assert.not.match((await service.ops("/metrics")).text, /^vitrine_restarts_total\{.*\} [1-9]/m);
  });

  test.run();
}
