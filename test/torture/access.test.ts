import crypto, { createHmac } from "node:crypto";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createFixedWindow } from "../../src/http/rate-limit/rate-limit.ts";
import { readToken, signToken } from "../../src/surfaces/access/bearer.ts";
import { again, chanceOf, effort } from "../helpers/effort.ts";
import { settingsUpdated } from "../helpers/events.ts";
import { openTestServer } from "../helpers/test-server.ts";
import { startVitrine } from "../helpers/vitrine.ts";

const test = suite("access");
const secret = "a secret of sixteen or more";

test("tokens that are cut, spliced, signed by others or signed for something else are rejected", () => {
  const chance = chanceOf("tokens");
  const good = Array.from({ length: 10 }, (_, at) =>
    signToken({ label: `agent ${at}`, tokenEpoch: at }, secret),
  );
  const foreign = good.map((_, at) =>
    signToken({ label: `agent ${at}`, tokenEpoch: at }, "another secret!!"),
  );
  const halves = (token: string) => token.slice("vit_".length).split(".") as [string, string];
  const other = (token: string): string => {
    const [payload] = halves(token);
    return `vit_${payload}.${createHmac("sha256", secret).update(payload).digest("base64url")}`;
  };
  const forgeries: readonly ((token: string) => string)[] = [
    (token) => token.slice(0, chance.below(token.length)),
    (token) => token.slice(1 + chance.below(token.length)),
    (token) =>
      `vit_${halves(token)[0]}.${halves(chance.pick(good.filter((one) => one !== token)))[1]}`,
    (token) => token + chance.pick([".", "=", "a", "\0", " "]),
    (token) => token.replace("vit_", chance.pick(["VIT_", "vit-", "", "vit_vit_"])),
    (token) => token.replace(".", chance.pick(["..", ":", "", "%2e"])),
    () => chance.pick(foreign),
    other,
    (token) => `${halves(token)[0]}.${halves(token)[1]}`,
  ];
  for (let turn = 0; turn < effort(2_000, 200_000); turn += 1) {
    const forged = chance.pick(forgeries)(chance.pick(good));
    assert.is(
      readToken(forged, secret),
      undefined,
      `${forged} ${again("test/torture/access.test.ts")}`,
    );
  }
});

test("a wrong signature takes the same time whichever character is wrong", () => {
  const token = signToken({ label: "timing", tokenEpoch: 0 }, secret);
  const begin = token.lastIndexOf(".") + 1;
  const wrongAt = (at: number) =>
    `${token.slice(0, at)}${token[at] === "A" ? "B" : "A"}${token.slice(at + 1)}`;
  const candidates = [wrongAt(begin), wrongAt(token.length - 2)] as const;
  const spent: [number[], number[]] = [[], []];
  // Alternately, so that other load on the machine affects both.
  for (let turn = 0; turn < effort(4_000, 40_000); turn += 1) {
    for (const which of [0, 1] as const) {
      const begun = process.hrtime.bigint();
      readToken(candidates[which], secret);
      spent[which].push(Number(process.hrtime.bigint() - begun));
    }
  }
  const [first, last] = spent.map(
    (times) => times.sort((a, b) => a - b)[times.length >> 1] ?? 0,
  ) as [number, number];
  assert.ok(Math.abs(first - last) < 0.1 * Math.max(first, last), `${first} ns and ${last} ns`);
});

test("a signature is compared in constant time, right or wrong", () => {
  const token = signToken({ label: "timing", tokenEpoch: 0 }, secret);
  const wrong = `${token.slice(0, -2)}${token.at(-2) === "A" ? "B" : "A"}${token.at(-1)}`;
  const { timingSafeEqual } = crypto;
  const compared: number[] = [];
  const noticing: typeof timingSafeEqual = (one, other) => {
    compared.push(one.byteLength);
    return timingSafeEqual(one, other);
  };
  Object.assign(crypto, { timingSafeEqual: noticing });
  syncBuiltinESMExports();
  try {
    assert.is(readToken(token, secret)?.label, "timing");
    assert.is(readToken(wrong, secret), undefined);
  } finally {
    Object.assign(crypto, { timingSafeEqual });
    syncBuiltinESMExports();
  }
  assert.equal(compared, [43, 43], "a signature has 43 letters");
});

for (const hops of [0, 1, 2, 3]) {
  test(`behind ${hops} trusted proxies no X-Forwarded-For gets a client another count`, async () => {
    const count = createFixedWindow(20, () => performance.now());
    const service = await openTestServer({ rateLimit: { limit: 20, trustedProxies: hops, count } });
    service.apply(settingsUpdated());
    const chance = chanceOf("forwarded", hops);
    const lies = [
      "6.6.6.6",
      "::1",
      "unknown",
      "",
      "127.0.0.1",
      "1.1.1.1, 2.2.2.2",
      "[::]:80",
      "a".repeat(500),
    ];
    const proxies = ["198.51.100.7", "10.0.0.1", "10.0.0.2"].slice(0, hops).join(", ");
    const statuses: number[] = [];
    for (let turn = 0; turn < 40; turn += 1) {
      const output = [chance.pick(lies), proxies].filter(Boolean).join(", ");
      const response = await service.get("/graphql/schema.graphql", { "x-forwarded-for": output });
      await response.arrayBuffer();
      statuses.push(response.status);
    }
    assert.is(statuses.filter((status) => status === 200).length, 20);
    await service.close();
  });
}

const clients = effort(300, 10_000);

/** Over new connections, so that every process is reached. */
const ask = (url: string, client: number): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const address = `10.${client >> 16}.${(client >> 8) & 255}.${client & 255}`;
    const headers = { "x-forwarded-for": address };
    const request = httpRequest(`${url}/.well-known/oauth-authorization-server`, {
      agent: false,
      headers,
    });
    request.once("response", (response) => resolve(response.resume()));
    request.once("error", reject);
    request.end();
  });

test(`the limit is exact for each of ${clients} clients over 4 processes, and the counts take little memory`, async () => {
  const service = await startVitrine(["--workers", "4", "--rate-limit", "3", "--trust-proxy", "1"]);
  const memory = async (): Promise<number> => {
    const { text } = await service.ops("/metrics");
    return Number(/^process_resident_memory_bytes\{[^}]*supervisor[^}]*\} (\d+)/m.exec(text)?.[1]);
  };
  const before = await memory();
  const admitted = new Map<number, number>();
  const turns = Array.from({ length: clients * 5 }, (_, turn) => turn % clients);
  const work = async (): Promise<void> => {
    for (let client = turns.pop(); client !== undefined; client = turns.pop()) {
      const { statusCode } = await ask(service.url, client);
      assert.ok(statusCode === 200 || statusCode === 429, `${statusCode}`);
      if (statusCode === 200) admitted.set(client, (admitted.get(client) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 20 }, work));
  assert.is(admitted.size, clients);
  assert.equal([...new Set(admitted.values())], [3]);
  const grown = (await memory()) - before;
  assert.ok(grown < 60e6, `${grown} bytes more`);
  await service.stop();
});

test.run();
