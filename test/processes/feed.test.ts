import { connect, type NatsConnection } from "nats";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CloudEvent } from "../../src/events/envelope.ts";
import { productUpserted, settingsUpdated, stockChanged } from "../helpers/events.ts";
import { type NatsServer, startNats } from "../helpers/nats.ts";
import {
  childPid,
  childProcessesOf,
  type RunningVitrine,
  run,
  startVitrine,
  until,
} from "../helpers/vitrine.ts";
import type { Change, Page } from "../spec/contract-11-feed.ts";

/** A shop on a real broker, whose followers are clients of real processes. */
interface Context {
  readonly nats: NatsServer;
  readonly connection: NatsConnection;
}

const test = suite<Context>("processes/feed");
const products = 30;

test.before.each(async (context) => {
  const nats = await startNats();
  const connection = await connect({ servers: nats.url });
  await (await connection.jetstreamManager()).streams.add({ name: "SHOP", subjects: ["shop.>"] });
  Object.assign(context, { nats, connection });
  const shop = Array.from({ length: products }, (_, at) => productUpserted({ id: at + 1 }));
  for (const event of [settingsUpdated({}, { id: "first" }), ...shop])
    await publish(connection, event);
});
test.after.each(async ({ nats, connection }) => {
  await connection.close();
  await nats.remove();
});

/** Publishes an event. @returns its log sequence */
const publish = async (connection: NatsConnection, event: CloudEvent): Promise<number> => {
  const subject = `shop.${String(event.subject).split("/").slice(0, 2).join(".")}`;
  const { seq } = await connection.jetstream().publish(subject, JSON.stringify(event));
  return seq;
};

let quantity = 0;

/** Publishes changes of stocks that are shown. @returns the last log sequence */
const changeStocks = async (connection: NatsConnection): Promise<number> => {
  let last = 0;
  quantity += 1;
  for (let id = 1; id <= products; id += 3)
    last = await publish(connection, stockChanged({ productId: id, quantity: quantity % 2 }));
  return last;
};

/** A client that keeps a copy of the shop, as the contract says. */
const openFollower = (urls: readonly string[]) => {
  const lines = new Map<string, unknown>();
  const positions: string[] = [];
  let next = "/agent/changes?since=start";
  let [startOvers, turn] = [0, 0];
  const apply = ({ kind, id, op, record }: Change): void => {
    if (op === "remove") lines.delete(`${kind}/${id}`);
    else lines.set(`${kind}/${id}`, record);
  };
  const ask = async (): Promise<void> => {
    turn += 1;
    const response = await fetch(`${urls[turn % urls.length]}${next}&wait=1`, {
      headers: { connection: "close" },
      signal: AbortSignal.timeout(30_000),
    });
    const body = await response.json();
    if (response.status === 410) {
      startOvers += 1;
      next = (body as { error: { next: string } }).error.next;
      lines.clear();
    }
    if (response.status !== 200) return;
    const page = body as Page;
    page.changes.forEach(apply);
    if (page.position !== null) positions.push(page.position);
    next = page.next;
  };
  return {
    lines,
    positions,
    startOvers: () => startOvers,
    /** Follows until the copy is as new as a sequence. A lost connection is asked again. */
    reach: (sequence: number) =>
      until(
        async () => {
          await ask();
          return sequenceOf(positions.at(-1));
        },
        (reached) => reached >= sequence,
      ),
  };
};

const sequenceOf = (position = ""): number => Number(position.slice(13, 29));

/** Checks that claims never went back, and that the copy equals a fresh one. */
const assertEqualsShop = async (
  follower: ReturnType<typeof openFollower>,
  url: string,
  sequence: number,
): Promise<void> => {
  const claimed = follower.positions.map((position) => position.split(".")[0] ?? "");
  assert.equal(claimed, [...claimed].sort());
  const fresh = openFollower([url]);
  await fresh.reach(sequence);
  const sorted = (lines: ReadonlyMap<string, unknown>) => [...lines].sort();
  assert.equal(sorted(follower.lines), sorted(fresh.lines));
  assert.ok(fresh.lines.size > products);
  assert.is(follower.startOvers(), 0);
};

test("a follower loses nothing when processes are killed, and a rebuild or a rollback tells it nothing", async ({
  nats,
  connection,
}) => {
  const service = await startVitrine(["--events", nats.url, "--workers", "2"]);
  await service.ready();
  const follower = openFollower([service.url]);
  const settings = ["--data-dir", service.dataDir, "--events", nats.url];
  const command = async (name: string): Promise<void> => {
    const done = await run([name, ...settings]);
    assert.is(done.code, 0, done.stderr);
  };
  const steps: readonly (() => Promise<unknown>)[] = [
    async () => process.kill(await childPid(service, "vitrine projector"), "SIGKILL"),
    async () => process.kill(await workerOf(service), "SIGKILL"),
    () => command("rebuild"),
    () => command("rollback"),
  ];
  await follower.reach(await changeStocks(connection));
  for (const step of steps) {
    const before = follower.positions.length;
    await step();
    await follower.reach(await changeStocks(connection));
    assert.ok(follower.positions.length > before);
  }
  await assertEqualsShop(follower, service.url, await changeStocksAndReach(follower, connection));
  await service.stop();
});

const changeStocksAndReach = async (
  follower: ReturnType<typeof openFollower>,
  connection: NatsConnection,
): Promise<number> => {
  const last = await changeStocks(connection);
  await follower.reach(last);
  return last;
};

const workerOf = async ({ child }: RunningVitrine): Promise<number> => {
  const worker = await until(
    async () => (await childProcessesOf(Number(child.pid))).find(([title]) => /http/.test(title)),
    (found) => found !== undefined,
  );
  return worker?.[1] ?? 0;
};

test("a follower may move between services on one log, and reads after a write with its position", async ({
  nats,
  connection,
}) => {
  const settings = ["--events", nats.url];
  const services = await Promise.all([startVitrine(settings), startVitrine(settings)]);
  await Promise.all(services.map((service) => service.ready()));
  const urls = services.map(({ url }) => url);
  const follower = openFollower(urls);
  await follower.reach(products + 1);
  for (let round = 0; round < 10; round += 1) {
    const last = await changeStocksAndReach(follower, connection);
    const epoch = follower.positions.at(-1)?.slice(0, 12);
    const acknowledged = await publish(connection, stockChanged({ productId: 2, quantity: round }));
    const position = `${epoch}-${String(acknowledged).padStart(16, "0")}`;
    for (const url of urls) {
      const headers = { "x-min-position": position, connection: "close" };
      const response = await fetch(`${url}/llms.txt`, { headers });
      await response.arrayBuffer();
      assert.is(response.status, 200);
      assert.ok((response.headers.get("x-position") ?? "") >= position);
    }
    assert.ok(acknowledged > last);
  }
  const last = await changeStocksAndReach(follower, connection);
  await assertEqualsShop(follower, urls[0] ?? "", last);
  await Promise.all(services.map((service) => service.stop()));
});

test.run();
