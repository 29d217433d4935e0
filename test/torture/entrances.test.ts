import { suite } from "uvu";
import * as assert from "uvu/assert";
import { signToken } from "../../src/surfaces/access/bearer.ts";
import type { Chance } from "../bench/seeded.ts";
import { again, amount, chanceOf, reportDone } from "../helpers/effort.ts";
import type { RunningVitrine } from "../helpers/vitrine.ts";
import { bytesOf, type Exchange, exchange, portOf, type Request } from "../helpers/wire.ts";
import { opsRequests, requestsOf, startShop } from "./entrances.ts";
import { damageOf, injected, mutated, varied } from "./mutate.ts";

const context = {} as { service: RunningVitrine };
const test = suite("hostile requests");
test.before(async () => {
  context.service = await open();
});
test.after(async () => {
  await context.service.stop();
});
const secret = "a secret that no answer and no log may hold";
const token = signToken({ label: "fuzz", tokenEpoch: 0 }, secret);

/** Number of concurrent requests of a round; the next round learns from their responses. */
const width = 40;
const rounds = amount(2_000) / width;
const opsRounds = Math.ceil(rounds / 10);
/** Number of concurrent clients of the ops port, which rejects the seventeenth query that waits. */
const opsClients = 5;
/**
 * Maximum time of a response in ms; the best of some attempts counts, because the machine does other work
 * too.
 */
const longest = 100;

const open = (): Promise<RunningVitrine> => {
  const env = { LOG_LEVEL: "debug", TOKEN_SECRET: secret, RATE_LIMIT: "100000000" };
  return startShop([], env);
};

/** Classifies a response: a new kind comes from code that was not reached before. */
const kindOf = ({ target }: Request, { answer, status }: Exchange): string => {
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  const names = head
    .match(/^[\w-]+(?=:)/gm)
    ?.sort()
    .join();
  const output = body.slice(0, 300).replace(/"[^"]{40,}"|\d+/g, "");
  return [target.split(/[/?]/, 3).join("/").slice(0, 30), status, names, output].join("\n");
};

/** The bytes of a hostile request; each attempt is another request of the same cost. */
type Attempts = (attempt: number) => Buffer;

const attemptsOf = (request: Request, chance: Chance): Attempts => {
  const damage = damageOf(chance);
  return (attempt) => damage(bytesOf(attempt === 0 ? request : varied(request, attempt)));
};

const wrongIn = ({ answer, status }: Exchange): string | undefined => {
  if (status >= 500) return `answered ${status}`;
  if (status === 0 && answer !== "") return "answered with what is no HTTP";
  if (answer.includes(secret)) return "contained the secret";
  const heads = answer.split("\r\n\r\n")[0] ?? "";
  if (new RegExp(`^${injected}:`, "im").test(heads)) return "let a header be injected";
  return undefined;
};

/** Maximum number of further attempts. */
const mostMore = 12;

const judge = async (
  port: number,
  bytes: Attempts,
  first: Exchange,
): Promise<string | undefined> => {
  const wrong = wrongIn(first);
  if (wrong !== undefined) return wrong;
  let best = first.milliseconds;
  for (let attempt = 1; attempt <= mostMore && best > longest; attempt += 1) {
    best = Math.min(best, (await exchange(port, bytes(attempt))).milliseconds);
  }
  return best > longest ? `took ${Math.round(best)} ms` : undefined;
};

test(`${opsRounds * width} hostile requests to the ops port: no 5xx, no crash, no secret in a response`, async () => {
  const { service } = context;
  const port = portOf(service.opsUrl);
  const goodRequests = opsRequests();
  const chance = chanceOf("operators");
  const kinds = new Set<string>();
  // They start the process that answers queries, so that the hostile requests find it running.
  for (const request of goodRequests) {
    const { status } = await exchange(port, bytesOf(request), 10_000);
    assert.ok(status >= 200 && status < 500, `${request.target} is no good`);
  }
  const sent = Array.from({ length: opsRounds * width }, () => {
    const request = mutated(chance.pick(goodRequests), chance);
    return { request, bytes: attemptsOf(request, chance)(0) };
  });
  // Each client goes on without the others, because an incomplete request is waited for.
  const client = async (): Promise<void> => {
    for (let next = sent.shift(); next !== undefined; next = sent.shift()) {
      const { request, bytes } = next;
      const answered = await exchange(port, bytes, 3_000);
      const wrong = wrongIn(answered);
      assert.not(
        wrong,
        `${wrong}: ${JSON.stringify(bytes.toString("latin1").slice(0, 1_000))}\n${answered.answer.slice(0, 500)}\n${again("test/torture/entrances.test.ts")}`,
      );
      kinds.add(kindOf(request, answered));
    }
  };
  await Promise.all(Array.from({ length: opsClients }, client));
  assert.ok(kinds.size > 20, `only ${kinds.size} kinds of answers were met`);
  assert.is((await service.ops("/readyz")).status, 200);
});

test(`${rounds * width} hostile requests to every route: no 5xx, no crash, no secret, none over ${longest} ms`, async () => {
  const { service } = context;
  const port = portOf(service.url);
  const goodRequests = [...(await requestsOf(port, token))];
  const kinds = new Set<string>();
  const chance = chanceOf("entrances");
  for (const request of goodRequests) {
    const answered = await exchange(port, bytesOf(request), 10_000);
    assert.ok(answered.status >= 200 && answered.status < 500, `${request.target} is no good`);
  }
  for (let round = 0; round < rounds; round += 1) {
    const sent = Array.from({ length: width }, () => {
      const request = mutated(chance.pick(goodRequests), chance);
      return { request, bytes: attemptsOf(request, chance) };
    });
    const met = await Promise.all(sent.map(({ bytes }) => exchange(port, bytes(0))));
    for (const [at, { request, bytes }] of sent.entries()) {
      const answered = met[at] as Exchange;
      const wrong = await judge(port, bytes, answered);
      assert.not(
        wrong,
        `${wrong}: round ${round} ${JSON.stringify(bytes(0).toString("latin1").slice(0, 1_000))}\n${answered.answer.slice(0, 500)}\n${again("test/torture/entrances.test.ts")}`,
      );
      const kind = kindOf(request, answered);
      if (!kinds.has(kind) && bytes(0).length < 20_000) goodRequests.push(request);
      kinds.add(kind);
    }
    reportDone((round + 1) * width);
  }
  const expected = Math.min(100, (rounds * width) / 4);
  assert.ok(kinds.size > expected, `only ${kinds.size} kinds of answers were met`);
  assert.not.match((await service.ops("/metrics")).text, /^vitrine_restarts_total\{.*\} [1-9]/m);
  const { code, stdout, stderr } = await service.stop();
  assert.is(code, 0);
  for (const [what, hidden] of Object.entries({ secret, token })) {
    assert.not.ok(`${stdout}${stderr}`.includes(hidden), `the log tells the ${what}`);
  }
  const errors = stderr.split("\n").filter((line) => /"level":[56]0/.test(line));
  assert.equal(errors, [], "the log tells of errors");
});

test.run();
