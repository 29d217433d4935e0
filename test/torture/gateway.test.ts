import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { decode } from "../../src/events/decode.ts";
import { toMessage } from "../../src/events/envelope.ts";
import type { Chance } from "../bench/seeded.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { again, amount, chanceOf, effort, reportDone, reportMeasured } from "../helpers/effort.ts";
import { readEvents } from "../helpers/gateway.ts";
import { type GatewayProcess, startGatewayProcess } from "../helpers/gateway-process.ts";
import { stop } from "../helpers/vitrine.ts";
import { bytesOf, exchange, portOf, type Request } from "../helpers/wire.ts";
import {
  atTurn,
  connections,
  goodDeliveries,
  hostileDelivery,
  secrets,
  signed,
} from "./deliveries.ts";
import { type MemoryScale, openMemoryScale } from "./memory.ts";
import { damageOf } from "./mutate.ts";

const test = suite<{ gateway: GatewayProcess; scale: MemoryScale }>("hostile deliveries");

test.before(async (context) => {
  context.scale = openMemoryScale();
  context.gateway = await startGatewayProcess(temporaryDirectory().path, {
    ...{ connections, args: ["--trust-proxy", "1"] },
    env: { ...secrets, ...context.scale.env, LOG_LEVEL: "warn" },
  });
});

/** Number of concurrent requests of a round. */
const width = 40;
const rounds = Math.max(3, Math.floor(amount(1_600) / width));
const hint = again("test/torture/gateway.test.ts");

/** Sends a part of a request, and resets the connection. */
const abort = async (socket: Socket, bytes: Buffer, { below }: Chance): Promise<void> => {
  socket.write(bytes.subarray(0, below(bytes.length + 1)), () => socket.resetAndDestroy());
  await closed(socket);
};

/** A reset is an end as any other. */
const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.once("close", () => resolve()));

/** Sends a request in three parts, and reads the answer. */
const sendSlowly = async (socket: Socket, bytes: Buffer): Promise<string> => {
  const third = Math.ceil(bytes.length / 3);
  let answer = "";
  socket.setEncoding("latin1").on("data", (part) => {
    answer += part;
  });
  const ended = closed(socket);
  for (let at = 0; at < bytes.length; at += third) {
    socket.write(bytes.subarray(at, at + third));
    await delay(20);
  }
  socket.end();
  await ended;
  return answer;
};

/** @returns the answer; empty when the connection was closed without one */
const send = async (port: number, bytes: Buffer, chance: Chance): Promise<string> => {
  const manner = chance.below(20);
  if (manner > 1) return (await exchange(port, bytes)).answer;
  const socket = connect({ port, host: "127.0.0.1" });
  socket.on("error", () => undefined);
  if (manner === 1) return sendSlowly(socket, bytes);
  await abort(socket, bytes, chance);
  return "";
};

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? 0);

const findWrong = (answer: string): string | undefined => {
  const status = statusOf(answer);
  if (status >= 500 && status !== 503) return `answered ${status}`;
  if (status === 503 && !/^Retry-After: \d+\r$/im.test(answer))
    return "answered 503 without a time";
  if (status === 0 && answer !== "") return "answered with what is no HTTP";
  if (Object.values(secrets).some((secret) => answer.includes(secret))) return "contained a secret";
  return undefined;
};

/** Sends a round of hostile deliveries at once. @returns the statuses */
const sendRound = async (
  port: number,
  round: number,
  chance: Chance,
): Promise<readonly number[]> => {
  const requests = Array.from(
    { length: width },
    (_, at): Request => hostileDelivery(chance.pick(goodDeliveries()), round * width + at, chance),
  );
  const sent = requests.map((request) => damageOf(chance)(bytesOf(request)));
  const answers = await Promise.all(sent.map((bytes) => send(port, bytes, chance)));
  for (const [at, answer] of answers.entries()) {
    const text = sent[at]?.toString("latin1").slice(0, 2_000);
    const wrong = findWrong(answer);
    assert.not(wrong, `${wrong}: ${JSON.stringify(text)}\n${answer.slice(0, 500)}\n${hint}`);
  }
  return answers.map(statusOf);
};

/** Largest body that the gateway takes. */
const maxBody = 8 * 1024 * 1024;

/**
 * Sends a delivery of each kind, with a time after all others. The first one is as large as the gateway takes: there is no room
 * for it when bodies of aborted requests still count as being read.
 */
const sendGood = async (port: number): Promise<void> => {
  for (const [at, good] of goodDeliveries().entries()) {
    const request = atTurn(good, 100_000_000);
    const padding = Buffer.alloc(at === 0 ? maxBody - request.body.length : 0, " ");
    const body = Buffer.concat([request.body, padding]);
    const { status, answer } = await exchange(port, bytesOf(signed({ ...request, body })), 10_000);
    assert.is(status, 200, answer);
  }
};

/** Asserts that no translator has failed. */
const assertReady = async (gateway: GatewayProcess): Promise<void> => {
  const { status, text } = await gateway.ops("/readyz");
  assert.is(status, 200, `${text}; ${hint}`);
};

/** What the heap may grow by after its first third, in bytes: a third of the bodies of the short form. */
const maxGrowth = effort(1_000_000, 2_000_000);

test(`${rounds * width} hostile deliveries: no 5xx but 503, no crash, no growth, and each event is valid`, async ({
  gateway,
  scale,
}) => {
  const port = portOf(gateway.url);
  const chance = chanceOf("deliveries");
  const met = new Map<number, number>();
  const weigh = async () => (await scale.weigh([gateway.child.pid ?? 0])).held;
  let before = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const status of await sendRound(port, round, chance))
      met.set(status, (met.get(status) ?? 0) + 1);
    if (round === Math.floor(rounds / 3)) before = await weigh();
    assert.is((await gateway.ops("/healthz")).status, 200);
    await assertReady(gateway);
    reportDone((round + 1) * width);
  }
  await sendGood(port);
  await gateway.drained();
  const grown = (await weigh()) - before;
  reportMeasured(`heap ${before} and ${grown} bytes more; ${JSON.stringify([...met].sort())}`);
  assert.ok(grown < maxGrowth, `the heap grew by ${grown} bytes; ${hint}`);
  for (const status of [200, 400, 401, 404, 405, 413, 415])
    assert.ok(met.has(status), `no answer had the status ${status}`);
});

test("afterwards the log has valid events alone, and the gateway has logged no error and no secret", async ({
  gateway,
}) => {
  const { code, stdout, stderr } = await stop(gateway);
  assert.is(code, 0);
  assert.is(stderr, "");
  for (const secret of Object.values(secrets)) assert.not.ok(`${stdout}${stderr}`.includes(secret));
  const events = await readEvents(gateway.dataDir);
  assert.is(new Set(events.map(({ id }) => id)).size, events.length);
  assert.ok(events.length > rounds, `only ${events.length} events`);
  for (const event of events) {
    const { body, headers } = toMessage(event);
    const decoded = decode({ body, headers, sequence: 1, time: Date.UTC(2027, 0, 1) });
    assert.ok(decoded.ok, `${JSON.stringify(decoded)} ${JSON.stringify(event).slice(0, 2_000)}`);
  }
});

test.run();
