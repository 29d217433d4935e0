/** Runs deploy/examples/mirror.mjs as a process, and compares its file with what the service shows. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../src/package-info.ts";
import { temporaryDirectory } from "../../helpers/directory.ts";
import {
  pageUpserted,
  priceChanged,
  productDeleted,
  productUpserted,
  settingsUpdated,
} from "../../helpers/events.ts";
import { openTestServer, type TestServer } from "../../helpers/test-server.ts";
import { type Running, start } from "../../helpers/vitrine.ts";
import { changesPath, readToClaim } from "../../spec/contract-11-feed.ts";
import { stated } from "../../spec/contract-11-surfaces.ts";
import {
  type Answer,
  cutAnswer,
  type FrontServer,
  loseConnection,
  openFrontServer,
  refuse,
} from "./front-server.ts";

const test = suite("deploy/examples/mirror.mjs");
const program = [join(packageRoot, "deploy", "examples", "mirror.mjs")];

/** More lines than a page has. @param first id of the first event, from which the epoch follows */
const shop = (first = "first", products = 150) => [
  settingsUpdated({}, { id: first }),
  pageUpserted(),
  ...Array.from({ length: products }, (_, at) => productUpserted({ id: at + 1 })),
];

interface Stored {
  readonly position: string;
  readonly next: string;
  readonly lines: Readonly<Record<string, unknown>>;
}

interface Context {
  readonly service: TestServer;
  readonly front: FrontServer;
  readonly file: string;
  /** Starts the program. It is killed at the end of the test. */
  run(kinds?: string): Running;
  read(): Stored;
  /** Waits until the program has the state of the service, and compares. */
  mustFollow(mirror: Running, query?: string): Promise<void>;
}

const withShop = async (use: (context: Context) => Promise<void>): Promise<void> => {
  const service = await openTestServer();
  service.apply(...shop());
  const front = await openFrontServer(service.url);
  const directory = temporaryDirectory();
  const file = join(directory.path, "mirror.json");
  const started: Running[] = [];
  const read = (): Stored => JSON.parse(readFileSync(file, "utf8"));
  try {
    await use({
      ...{ service, front, file, read },
      run(kinds = "") {
        const mirror = start([front.url, kinds, file], { program });
        started.push(mirror);
        return mirror;
      },
      async mustFollow(mirror, query = "") {
        const { text } = stated(await service.get("/robots.txt"));
        await mirror.says(new RegExp(`^${text}\\.`, "m"));
        assert.equal(read().lines, await linesOf(service, query));
      },
    });
  } finally {
    for (const { child } of started) child.kill("SIGKILL");
    await Promise.all(started.map(({ ended }) => ended));
    await front.close();
    await service.close();
  }
};

/** Reads all lines of the service, by kind and id. */
const linesOf = async (service: TestServer, query: string) => {
  const { changes } = await readToClaim(service, `${changesPath}?since=start${query}`);
  return Object.fromEntries(changes.map(({ kind, id, record }) => [`${kind}/${id}`, record]));
};

const cheaper = (productId: number) =>
  priceChanged({ productId, price: { amount: "1.00", currency: "EUR" } });

test("it has the shop, and then what changes and what is removed", () =>
  withShop(async ({ service, front, file, run, read, mustFollow }) => {
    const isShown: boolean[] = [];
    const observe: Answer = (request, response) => {
      isShown.push(existsSync(file));
      return front.pass(request, response);
    };
    front.answerNext(observe, observe, observe);
    const mirror = run();
    await mustFollow(mirror);
    assert.equal(isShown, [false, false, false]);
    assert.ok(front.requests[1]?.address.includes("&walk="));
    service.apply(cheaper(1), productDeleted(2));
    await mustFollow(mirror);
    assert.equal(read().lines["price/1"], { price: { amount: "1.00", currency: "EUR" } });
    assert.not("product/2" in read().lines);
    assert.match(mirror.stdout(), /: 4 changes, 449 lines$/m);
  }));

test("a new start goes on from the file", () =>
  withShop(async ({ service, front, run, read, mustFollow }) => {
    const mirror = run("price,product");
    await mustFollow(mirror, "&kinds=price,product");
    mirror.child.kill("SIGKILL");
    await mirror.ended;
    const { next } = read();
    service.apply(cheaper(3), productDeleted(4));
    const before = front.requests.length;
    await mustFollow(run("price,product"), "&kinds=price,product");
    assert.is(front.requests[before]?.address, `${next}&wait=25`);
  }));

test("a start over leaves the former mirror until the new one has a position", () =>
  withShop(async ({ service, front, run, read, mustFollow }) => {
    const query = "&kinds=product,stock";
    const mirror = run("product,stock");
    await mustFollow(mirror, query);
    const { position } = read();
    const shown: string[] = [];
    await service.swap(shop("other", 160).slice(0, 155));
    const observe: Answer = (request, response) => {
      shown.push(read().position);
      return front.pass(request, response);
    };
    front.answerNext(observe, observe);
    await mustFollow(mirror, query);
    assert.equal(shown, [position, position]);
    assert.not.match(read().position, position.slice(0, 12));
    service.apply(productDeleted(1));
    await mustFollow(mirror, query);
  }));

test("after a refusal it asks the same address again, not before Retry-After", () =>
  withShop(async ({ front, run, mustFollow }) => {
    front.answerNext(front.pass, refuse(429, "1"), refuse(412, "1"), refuse(503, "1"));
    await mustFollow(run());
    const [, ...repeats] = front.requests.slice(0, 5);
    assert.is(new Set(repeats.map(({ address }) => address)).size, 1);
    const waits = repeats.slice(1).map(({ at }, i) => at - (repeats[i]?.at ?? 0));
    assert.ok(
      waits.every((ms) => ms >= 999),
      String(waits),
    );
  }));

test("after a lost connection, and while there is no feed, it asks the same address again", () =>
  withShop(async ({ front, run, mustFollow }) => {
    front.answerNext(front.pass, loseConnection, cutAnswer, refuse(404, ""));
    const mirror = run();
    await mustFollow(mirror);
    const [, ...repeats] = front.requests.slice(0, 5);
    assert.is(repeats.length, 4);
    assert.is(new Set(repeats.map(({ address }) => address)).size, 1);
    assert.is(mirror.stderr().match(/asking the same address again/g)?.length, 3);
  }));

test("kinds and members that it does not know change nothing", () =>
  withShop(async ({ service, front, run, read, mustFollow }) => {
    const extend = front.rewrite((body) => {
      const page = JSON.parse(body);
      const bundle = { kind: "bundle", id: "7/a", op: "upsert", record: { name: "New" } };
      const changes = page.changes.map((change: object) => ({ ...change, added: { any: "form" } }));
      changes[0].record.added = 1;
      return JSON.stringify({ ...page, added: true, changes: [bundle, ...changes] });
    });
    front.answerNext(extend);
    const mirror = run();
    await mirror.says(/452 lines$/m);
    assert.not("bundle/7/a" in read().lines);
    service.apply(pageUpserted({ title: "Other" }));
    await mustFollow(mirror);
  }));

test("a request that the service finds wrong ends it with the reason", () =>
  withShop(async ({ front, run, file }) => {
    const { code, stderr } = await run("prices").ended;
    assert.is(code, 1);
    assert.match(stderr, /^400 .*kinds must be some of/);
    assert.is(front.requests.length, 1);
    assert.not.ok(existsSync(file));
  }));

test("four start overs in a row end it, and leave its file", () =>
  withShop(async ({ service, front, run, read, mustFollow }) => {
    const mirror = run();
    await mustFollow(mirror);
    const { position } = read();
    const gone: Answer = async (_, response) => {
      const answer = await service.get(`${changesPath}?since=${"0".repeat(12)}-${"0".repeat(16)}`);
      response.writeHead(answer.status);
      response.end(await answer.text());
    };
    mirror.child.kill("SIGKILL");
    await mirror.ended;
    const before = front.requests.length;
    front.answerNext(gone, gone, gone, gone);
    const { code, stderr } = await run().ended;
    assert.is(code, 1);
    assert.match(stderr, /ask its operator/);
    assert.is(front.requests.length - before, 4);
    assert.is(read().position, position);
  }));

test.run();
