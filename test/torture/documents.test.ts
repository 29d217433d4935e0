import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { temporaryDirectory } from "../helpers/directory.ts";
import { again, amount, chanceOf, reportDone, reportMeasured } from "../helpers/effort.ts";
import { publishTo } from "../helpers/publish.ts";
import { type RunningVitrine, startVitrine } from "../helpers/vitrine.ts";
import { bytesOf, type Exchange, exchange, json, portOf } from "../helpers/wire.ts";
import { randomDocument } from "./random-documents.ts";
import { variantCatalogue } from "./variant-catalogue.ts";

const test = suite<{ service: RunningVitrine; port: number }>("documents within the ceilings");
test.before(async (context) => {
  const dataDir = join(temporaryDirectory().path, "data");
  await publishTo(dataDir, variantCatalogue(200, 100));
  context.service = await startVitrine([], { dataDir, env: { RATE_LIMIT: "100000000" } });
  await context.service.ready();
  context.port = portOf(context.service.url);
});
test.after(async ({ service }) => {
  await service?.stop();
});

/** Maximum times in ms, as promised; the best of some attempts counts, because the machine does other work too. */
const [longest, maxOtherMs] = [400, 400];
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

const isSoon = ({ milliseconds, otherMs }: Met): boolean =>
  milliseconds <= longest && otherMs <= maxOtherMs;

const best = async (port: number, query: string): Promise<Met> => {
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

const documents = amount(60);

test(`${documents} random documents, each as large as the ceilings allow: answered within ${longest} ms, no other client waits ${maxOtherMs} ms`, async ({
  service,
  port,
}) => {
  const chance = chanceOf("documents");
  const [times, waits]: [number[], number[]] = [[], []];
  let refusals = 0;
  for (let turn = 0; turn < documents; turn += 1) {
    const grow = randomDocument(chance);
    let largest = grow(1);
    for (const size of sizes) {
      const { response } = await meet(port, grow(size));
      assert.is(response.status, 200);
      if (isRefused(response)) refusals += 1;
      if (isRefused(response)) break;
      assert.match(response.answer, '{"data":{', grow(size));
      largest = grow(size);
    }
    const met = await best(port, `${largest} #${turn}`);
    const problem = `${JSON.stringify(largest)}\n${again("test/torture/documents.test.ts")}`;
    assert.ok(met.milliseconds <= longest, `took ${met.milliseconds} ms: ${problem}`);
    assert.ok(met.otherMs <= maxOtherMs, `another waited ${met.otherMs} ms: ${problem}`);
    times.push(met.milliseconds);
    waits.push(met.otherMs);
    reportDone(turn + 1);
  }
  assert.ok(refusals > documents / 4, `only ${refusals} documents reached a ceiling`);
  const [worst, wait] = [Math.max(...times), Math.max(...waits)].map(Math.round);
  reportMeasured(`worst response ${worst} ms, worst wait of another client ${wait} ms`);
  assert.not.match((await service.ops("/metrics")).text, /^vitrine_restarts_total\{.*\} [1-9]/m);
});

test.run();
