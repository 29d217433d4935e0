import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Reader } from "../../../src/read-model/reader/reader.ts";
import { aShop, memoryReader } from "../../helpers/reader.ts";
import { serveHandler } from "../serve-handler.ts";
import { open } from "../test-app.ts";

const test = suite("shared caching");

test("a reply is sent, and not shared, when the model cannot be read at that time", async () => {
  let isFailing = false;
  const reader = memoryReader(() => ({ shop: aShop() }));
  const failing = {
    ...reader,
    snapshot: ((read) => {
      if (isFailing) throw new Error("the generation was closed");
      return reader.snapshot(read);
    }) as typeof reader.snapshot,
  };
  const app = await open(undefined, { sharedMaxAge: 60, reader: () => failing });
  const ask = async () => {
    const { status, headers } = await fetch(`${app.url}/.well-known/api-catalog`);
    return [status, headers.get("cache-control")?.split(",")[0]];
  };
  assert.equal(await ask(), [200, "public"]);
  isFailing = true;
  assert.equal(await ask(), [200, "private"]);
  await app.close();
});

test("the log says once that robots.txt keeps replies out of shared caches", async () => {
  const robots = "User-agent: GPTBot\nDisallow: /\n";
  const app = await open({ shop: aShop(), robots }, { sharedMaxAge: 60 });
  for (const path of ["/llms.txt", "/llms.txt", "/openapi.json"]) {
    const { headers } = await fetch(app.url + path);
    assert.not.match(headers.get("cache-control") ?? "", /public/);
  }
  const warnings = app.logged.filter(({ msg }) => String(msg).includes("robots.txt"));
  assert.is(warnings.length, 1);
  assert.is(warnings[0]?.path, "/llms.txt");
  await app.close();
});

test("a reply is not shared when a price changed between the arrival of its request and the reply", async () => {
  const reader = memoryReader(() => ({ shop: aShop() }));
  for (const [during, directive] of [
    [true, "no-cache"],
    [false, "public"],
  ] as const) {
    let change = Number.POSITIVE_INFINITY;
    const nextOfferChange = (instant: number) =>
      instant < change ? change : Number.POSITIVE_INFINITY;
    const withChange: Reader = {
      ...reader,
      snapshot: (read) => reader.snapshot((snapshot) => read({ ...snapshot, nextOfferChange })),
    };
    const server = await serveHandler(
      () => {
        if (during) change = Date.now() + 10;
        // Lets the clock pass the change before the reply is sent.
        const end = performance.now() + 20;
        while (performance.now() < end);
        return { status: 200, body: "price", publicFor: 0 };
      },
      { reader: withChange, sharedMaxAge: 60 },
    );
    try {
      const { headers } = await fetch(server.url);
      assert.is(headers.get("cache-control")?.split(",")[0], directive);
    } finally {
      await server.close();
    }
  }
});

test.run();
