import { connect } from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { productBody } from "../connectors/shopify/bodies.ts";
import { effort } from "../helpers/effort.ts";
import { sign } from "../helpers/gateway.ts";
import {
  assertPublishedOnce,
  type DeliveringShop,
  type GatewayProcess,
  openDeliveringShop,
  readLog,
  startGatewayProcess,
} from "../helpers/gateway-process.ts";
import { inOwnMounts, page, type SmallDisk, smallDisk } from "../helpers/small-disk.ts";
import { stop, until } from "../helpers/vitrine.ts";
import { portOf } from "../helpers/wire.ts";

await inOwnMounts(import.meta.url);

interface Context {
  readonly disk: SmallDisk;
  readonly gateway: GatewayProcess;
  readonly shop: DeliveringShop;
}

const test = suite<Context>("the gateway's disk is full");

/** Space that the gateway leaves to other processes, in bytes. */
const reserve = 64 * 1024 * 1024;

/** Data directory and journal are on a disk with 60 MiB above the reserve. */
test.before.each(async (context) => {
  const disk = smallDisk(124);
  const gateway = await startGatewayProcess(disk.path);
  Object.assign(context, { disk, gateway, shop: openDeliveringShop() });
});
test.after.each(({ disk }) => disk.remove());

const isAlive = async ({ gateway }: Context): Promise<void> => {
  assert.is((await gateway.ops("/healthz")).status, 200);
};

/** Sends products until the gateway has noticed the space on its disk, at most a second. */
const untilStatus = ({ gateway, shop }: Context, expected: number) =>
  until(
    () => shop.send(gateway.url),
    ({ status }) => status === expected,
    1,
  );

/** Fills the disk, while the gateway may free pages. */
const fill = (disk: SmallDisk): Promise<boolean> =>
  until(async () => {
    disk.fill();
    return true;
  }, Boolean);

const assertAllPublished = async ({ gateway, shop }: Context): Promise<void> => {
  await gateway.drained();
  const { code, stderr } = await stop(gateway);
  assert.is(code, 0);
  assert.not.match(stderr, /failed to answer|translator failed/);
  assertPublishedOnce(shop, await readLog("journal:", gateway.dataDir));
};

test("on a nearly full disk deliveries are answered 503 with Retry-After, and 200 when there is room", async (context) => {
  const { disk, gateway, shop } = context;
  const sending = shop.start(gateway.url);
  await shop.more(50);
  await sending.stop();
  disk.fill((reserve - 1024 * 1024) / page);
  await untilStatus(context, 503);
  for (let at = 0; at < 3; at += 1) assert.is((await shop.send(gateway.url)).status, 503);
  for (const { retryAfter, text } of shop.refusals) {
    assert.is(retryAfter, "30");
    assert.match(text, "the disk is nearly full");
  }
  await isAlive(context);
  await gateway.drained();
  disk.makeRoom();
  await untilStatus(context, 200);
  await assertAllPublished(context);
});

/** A delivery that needs more pages than a file of LMDB has free. */
const largeBody = JSON.stringify(
  productBody({ id: 1_000_000, handle: "large", body_html: "x".repeat(900_000) }),
);

/** Sends a delivery whose head and begin arrive before `between`, and the rest after it. */
const sendAround = async (url: string, between: () => Promise<void>): Promise<string> => {
  const body = Buffer.from(largeBody);
  const head = [
    "POST /connections/main HTTP/1.1",
    ...["Host: localhost", "Connection: close", "Content-Type: application/json"],
    ...["X-Shopify-Topic: products/update", `X-Shopify-Hmac-SHA256: ${sign(body)}`],
    `Content-Length: ${body.length}`,
  ];
  const socket = connect(portOf(url), "127.0.0.1");
  socket.setEncoding("latin1");
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  socket.write(body.subarray(0, 1_000));
  await between();
  socket.write(body.subarray(1_000));
  let answer = "";
  for await (const part of socket) answer += part;
  return answer;
};

test("a disk that is full within a commit is answered 503, and nothing ends or is lost", async (context) => {
  const { disk, gateway, shop } = context;
  const answer = await sendAround(gateway.url, async () => {
    // Requests that begin later are answered after the gateway has read the head.
    for (let at = 0; at < 3; at += 1) assert.is((await shop.send(gateway.url)).status, 200);
    await gateway.drained();
    await fill(disk);
  });
  assert.match(answer, /^HTTP\/1\.1 503 /, `${answer}\n${gateway.stderr()}`);
  assert.match(answer, /^Retry-After: 30\r$/m);
  assert.match(answer, "the disk is full, or fails: send it again");
  await isAlive(context);
  disk.makeRoom();
  await untilStatus(context, 200);
  await assertAllPublished(context);
});

const fillings = effort(4, 60);

test(`a disk that fills ${fillings} times under load loses no answered delivery`, async (context) => {
  const { disk, gateway, shop } = context;
  const sending = shop.start(gateway.url, 5);
  for (let at = 0; at < fillings; at += 1) {
    await shop.more(20);
    const before = shop.refusals.length;
    await fill(disk);
    await until(
      async () => shop.refusals.length,
      (count) => count > before + 20,
    );
    await isAlive(context);
    disk.makeRoom();
  }
  await shop.more(20);
  await sending.stop();
  for (const { status, retryAfter, text } of shop.refusals) {
    assert.is(status, 503, text);
    assert.is(retryAfter, "30");
  }
  await assertAllPublished(context);
});

test.run();
