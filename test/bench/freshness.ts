import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect } from "nats";
import { toMessage } from "../../src/events/envelope.ts";
import { startNats } from "../helpers/nats.ts";
import { startVitrine, until } from "../helpers/vitrine.ts";
import { readDemoShop } from "./demo-shop.ts";
import { productRequest } from "./exchanges.ts";
import { type Comparison, percentile, type Report, toComparison } from "./figures.ts";
import { importBuilt } from "./import-built.ts";

const { openEventLog } =
  await importBuilt<typeof import("../../src/event-log/open.ts")>("event-log/open");

export interface FreshnessOptions {
  readonly report: Report;
}

const stream = "SHOP";

/** Number of events that are timed, one after the other. */
const timedCount = 1_000;
/** Number of events before them that warm up the processes. */
const warmupCount = 200;

/**
 * Measures the time from publishing a stock event to the first HTTP response that shows it, through a real broker, the
 * projector's durable commit and an HTTP process. The peer is a message from one client of the broker to another.
 */
export const benchFreshness = async ({
  report,
}: FreshnessOptions): Promise<readonly Comparison[]> => {
  const nats = await startNats();
  try {
    report("timing messages between two clients of the broker");
    const messageTimes = await timeMessages(nats.url);
    report("timing events until a response shows them");
    const eventTimes = await timeEvents(nats.url);
    return ([50, 99] as const).map((percent) => {
      const microseconds = (times: readonly number[]) => percentile(times, percent) * 1_000;
      return toComparison(`from publish to response, p${percent}`, "µs", microseconds(eventTimes), {
        name: "NATS, from publish to receipt",
        figure: microseconds(messageTimes),
      });
    });
  } finally {
    await nats.remove();
  }
};

const timeMessages = async (url: string): Promise<readonly number[]> => {
  const [from, to] = [await connect({ servers: url }), await connect({ servers: url })];
  const messages = to.subscribe("bench")[Symbol.asyncIterator]();
  await to.flush();
  const body = Buffer.alloc(300, "v");
  const times = await timeEach(async () => {
    from.publish("bench", body);
    await messages.next();
  });
  await Promise.all([from.close(), to.close()]);
  return times;
};

const timeEvents = async (url: string): Promise<readonly number[]> => {
  const shop = readDemoShop();
  const eventLog = await openEventLog(url, { dataDir: "", now: Date.now, stream });
  await eventLog.append(shop.events.map((event) => toMessage(event)));
  const env = { NATS_STREAM: stream };
  const server = await startVitrine(["--events", url, "--workers", "1"], { env });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    await until(
      () => server.ops("/readyz"),
      ({ status }) => status === 200,
      60,
    );
    const id = await findShownProduct(server.url, agent, shop.products);
    const { body = "" } = productRequest(String(id));
    let count = 0;
    return await timeEach(async () => {
      count += 1;
      const inStock = count % 2 === 0;
      const message = toMessage({
        specversion: "1.0",
        id: `bench-${count}`,
        source: "/shops/demo",
        type: "shop.stock.changed",
        subject: `stock/${id}`,
        time: new Date(shop.lastTime + count).toISOString(),
        datacontenttype: "application/json",
        data: { productId: id, quantity: inStock ? 1 : 0 },
      });
      await eventLog.append([message]);
      const availability = `"${inStock ? "IN_STOCK" : "OUT_OF_STOCK"}"`;
      while (!(await postQuery(server.url, agent, body)).includes(availability));
    });
  } finally {
    agent.destroy();
    await server.stop();
    await eventLog.close();
  }
};

/** Finds a product that the surfaces show. */
export const findShownProduct = async (
  url: string,
  agent: Agent,
  products: readonly { readonly id: number }[],
): Promise<number> => {
  for (const { id } of products) {
    const { body = "" } = productRequest(String(id));
    if ((await postQuery(url, agent, body)).includes('"availability"')) return id;
  }
  throw new Error("no product is shown");
};

/** Runs a step repeatedly and returns the milliseconds of each run after the warm-up. */
export const timeEach = async (step: () => Promise<void>): Promise<readonly number[]> => {
  const times: number[] = [];
  for (let run = 0; run < warmupCount + timedCount; run += 1) {
    const start = performance.now();
    await step();
    if (run >= warmupCount) times.push(performance.now() - start);
  }
  return times;
};

/** Posts a query over one keep-alive connection, because `fetch` would take longer than the timed interval. */
export const postQuery = async (url: string, agent: Agent, body: string): Promise<string> => {
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  const post = request(`${url}/graphql`, { method: "POST", agent, headers });
  post.end(body);
  const [response] = await once(post, "response");
  let text = "";
  for await (const chunk of response) text += chunk;
  return text;
};
