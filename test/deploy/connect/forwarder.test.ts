/** The forwarder of `deploy/connect/commercetools.md`, before a gateway that runs by the command of the guides. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { published } from "../../connectors/commercetools/bodies.ts";
import { type Daemon, startDaemon } from "../../helpers/daemon.ts";
import { findFreePort } from "../../helpers/free-port.ts";
import { readEvents } from "../../helpers/gateway.ts";
import { until } from "../../helpers/vitrine.ts";
import { blocksOf, secrets } from "./guides.ts";
import { type RunningGateway, startGatewayOfGuides } from "./running-gateway.ts";

interface Context {
  readonly gateway: RunningGateway;
  readonly forwarder: Daemon;
  /** Address that the queue pushes to. */
  readonly url: string;
}

const path = "0123456789abcdef0123456789abcdef";

const test = suite<Context>("deploy/connect/commercetools.md: the forwarder");
test.before(async (context) => {
  const gateway = await startGatewayOfGuides();
  const port = await findFreePort();
  const file = join(gateway.home.directory, "forward.mjs");
  writeFileSync(file, blocksOf("commercetools.md", "js").join("\n"));
  const target = `http://127.0.0.1:${gateway.port}/connections/ct`;
  const env = { ...secrets, FORWARD_PATH: path, TARGET: target, PORT: String(port) };
  const forwarder = await startDaemon(process.execPath, [file], port, { env });
  Object.assign(context, { gateway, forwarder, url: `http://127.0.0.1:${port}` });
});
test.after(async ({ gateway, forwarder }) => {
  await forwarder.stop();
  await gateway.stop();
});

const push = async (url: string, body: object): Promise<number> =>
  (await fetch(url, { method: "POST", body: JSON.stringify(body) })).status;

/** What Pub/Sub pushes. */
const pushed = (message: object) => ({
  message: {
    data: Buffer.from(JSON.stringify(message)).toString("base64"),
    messageId: "1",
    publishTime: "2026-10-01T08:00:00Z",
  },
  subscription: "projects/example/subscriptions/vitrine",
});

/** What SNS pushes. */
const notified = (message: object) => ({
  Type: "Notification",
  MessageId: "1",
  Message: JSON.stringify(message),
});

test("messages of Pub/Sub and SNS reach the log, with the secret of the gateway", async ({
  gateway,
  url,
}) => {
  const first = published(1, { name: { de: "Hemd" } });
  assert.is(await push(`${url}/${path}`, pushed(first)), 200);
  const second = published(2, { name: { de: "Bluse" } });
  assert.is(await push(`${url}/${path}`, notified(second)), 200);
  await until(
    async () => JSON.stringify(await readEvents(gateway.home.dataDir)),
    (events) => events.includes('"Hemd"') && events.includes('"Bluse"'),
  );
});

test("another path is refused, and the address of a confirmation is printed", async ({
  forwarder,
  url,
}) => {
  assert.is(await push(`${url}/`, pushed(published(3))), 404);
  assert.is(await push(`${url}/${path}0`, pushed(published(3))), 404);
  const confirmation = { Type: "SubscriptionConfirmation", SubscribeURL: "https://sns.example/1" };
  assert.is(await push(`${url}/${path}`, confirmation), 200);
  await until(
    async () => forwarder.output(),
    (output) => output.includes("https://sns.example/1"),
  );
});

test("without a gateway the queue is to send again", async ({ gateway, url }) => {
  await gateway.stop();
  assert.is(await push(`${url}/${path}`, pushed(published(4))), 503);
  await gateway.start();
  assert.is(await push(`${url}/${path}`, pushed(published(4))), 200);
});

test.run();
