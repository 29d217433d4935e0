import { connect } from "nats";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { EventLog } from "../../../src/event-log/event-log.ts";
import { describeOldCluster } from "../../../src/event-log/jetstream/connection.ts";
import { createLogger } from "../../../src/log.ts";
import { type NatsCluster, startNatsCluster } from "../../helpers/nats-cluster.ts";
import { until } from "../../helpers/vitrine.ts";
import { openShop } from "../implementations.ts";
import { messages } from "../messages.ts";

interface Context {
  cluster: NatsCluster;
  log: EventLog;
}

const test = suite<Context>("JetStream cluster");

test.before(async (context) => {
  context.cluster = await startNatsCluster();
  context.log = await openShop(context.cluster.url);
});
test.after(async ({ cluster, log }: Partial<Context>) => {
  await log?.close();
  await cluster?.remove();
});

test("the first connection logs the risk of a cluster of old servers, and nothing else", async ({
  cluster: { url },
}) => {
  const connection = await connect({ servers: url.split(",") });
  const risk = describeOldCluster(connection.info);
  await connection.close();
  const lines: string[] = [];
  const log = createLogger("warn", "test", { write: (line) => lines.push(line) });
  await (await openShop(url, { log })).close();
  assert.equal(
    lines.map((line) => JSON.parse(line).msg),
    risk === undefined ? [] : [`${url}: ${risk}`],
  );
});

test("the end of a stream without a leader is unavailable until there is one again", async ({
  cluster,
  log,
}) => {
  await log.append(messages(1, 3));
  assert.is((await log.bounds()).last, 3);
  const [first, second] = cluster.servers;
  await Promise.all([first?.kill(), second?.kill()]);
  const reason = await until(
    () => log.bounds().then(() => "", String),
    (message) => message.includes("the stream has no leader"),
  );
  assert.match(reason, /stream SHOP/);
  await Promise.all([first?.start(), second?.start()]);
  const { last } = await until(
    () => log.bounds(),
    () => true,
  );
  assert.is(last, 3);
});

test.run();
