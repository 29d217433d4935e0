/** Repeated requests, as clients, proxies and people send them when a response was lost. */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { signToken } from "../../src/surfaces/access/bearer.ts";
import type { Chance } from "../bench/seeded.ts";
import { again, amount, chanceOf, reportDone } from "../helpers/effort.ts";
import type { RunningVitrine } from "../helpers/vitrine.ts";
import { bytesOf, exchange, portOf, type Request } from "../helpers/wire.ts";
import { requestsOf, startShop } from "./entrances.ts";
import { mutated } from "./mutate.ts";

const context = {} as { service: RunningVitrine };
const test = suite("repeated requests");
test.before(async () => {
  context.service = await startShop(["--workers", "2"], {
    TOKEN_SECRET: secret,
    RATE_LIMIT: "100000000",
  });
});
test.after(async () => {
  await context.service.stop();
});
const secret = "a secret of sixteen or more";
const token = signToken({ label: "again", tokenEpoch: 0 }, secret);

/** Number of concurrent requests. */
const width = 20;
const rounds = Math.ceil(amount(600) / width);

/** Headers that depend on the time, on the client's count, or on the repetition itself. */
const volatileHeaders = /^(date|ratelimit(-\w+)?|x-data-age|idempotency-replayed): .*$/i;

const answerTo = async (port: number, request: Request): Promise<string> => {
  const { answer } = await exchange(port, bytesOf(request), 10_000);
  const [head = "", ...body] = answer.split("\r\n\r\n");
  const lines = head.split("\r\n").filter((line) => !volatileHeaders.test(line));
  return [lines.join("\n"), ...body].join("\n\n");
};

/** A registration revokes the earlier token, except with a key of its own. */
const isRepeatable = (request: Request): boolean =>
  !bytesOf(request).includes("/v1/register") ||
  request.headers.some(([name]) => name === "Idempotency-Key");

const shuffled = <T>(from: readonly T[], chance: Chance): readonly T[] =>
  from
    .map((each) => [chance.below(2 ** 30), each] as const)
    .sort(([one], [other]) => one - other)
    .map(([, each]) => each);

test(`${rounds * width} requests, repeated to any process in any sequence, get the same response, byte for byte`, async () => {
  const port = portOf(context.service.url);
  const chance = chanceOf("retry");
  // A page of the change feed has the instant at which it was made.
  const goodRequests = (await requestsOf(port, token)).filter(
    ({ target }) => !target.startsWith("/agent/changes"),
  );
  for (let round = 0; round < rounds; round += 1) {
    const good = round * width < goodRequests.length;
    const sent = Array.from({ length: width }, (_, at) => {
      const request = goodRequests[round * width + at] ?? chance.pick(goodRequests);
      return good ? request : mutated(request, chance);
    }).filter(isRepeatable);
    const first: (readonly [Request, string])[] = [];
    for (const request of sent) first.push([request, await answerTo(port, request)]);
    await Promise.all(
      shuffled([...first, ...first], chance).map(async ([request, answered]) =>
        assert.is(
          await answerTo(port, request),
          answered,
          `${bytesOf(request).toString("latin1").slice(0, 1_000)}\n${again("test/torture/safe-retry.test.ts")}`,
        ),
      ),
    );
    reportDone((round + 1) * width);
  }
});

test.run();
