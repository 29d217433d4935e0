import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect } from "nats";
import { toMessage } from "../../src/events/envelope.ts";
import { startNats } from "../helpers/nats.ts";
import { startVitrine, until } from "../helpers/vitrine.ts";
import { built } from "./built.ts";
import { readDemoShop } from "./demo-shop.ts";
import { askProduct } from "./exchanges.ts";
import { type Comparison, percentile, type Report } from "./figures.ts";

const { openEventLog } =
  await built<typeof import("../../src/event-log/open.ts")>("event-log/open");

export interface FreshnessOptions {
  readonly tell: Report;
}

const stream = "SHOP";

/** Events whose way is timed, one after the other. */
const timed = 1_000;
/** Events before that, which warm everything up. */
const untimed = 200;

/**
 * Milliseconds from publishing a stock event to the first HTTP answer that shows it, through a real broker, the
 * projector's durable commit and an HTTP process; beside those of a message from one client of the broker to another.
 */
export const benchFreshness = async ({
  tell,
}: FreshnessOptions): Promise<readonly Comparison[]> => {
  const nats = await startNats();
  try {
    tell("timing messages of the broker alone");
    const raw = await timesOfMessages(nats.url);
    tell("timing events until they are answered");
    const own = await timesOfEvents(nats.url);
    return ([50, 99] as const).map((percent) => {
      const [figure, its] = [percentile(own, percent) * 1_000, percentile(raw, percent) * 1_000];
      return {
        name: `published until answered, p${percent}`,
        figure,
        unit: "µs",
        beside: { name: "NATS, published until received", figure: its },
        ratio: figure / its,
      };
    });
  } finally {
    await nats.remove();
  }
};

const timesOfMessages = async (url: string): Promise<readonly number[]> => {
  const [from, to] = [await connect({ servers: url }), await connect({ servers: url })];
  const messages = to.subscribe("bench")[Symbol.asyncIterator]();
  await to.flush();
  const body = Buffer.alloc(300, "v");
  const times = await inTurn(async () => {
    from.publish("bench", body);
    await messages.next();
  });
  await Promise.all([from.close(), to.close()]);
  return times;
};

const timesOfEvents = async (url: string): Promise<readonly number[]> => {
  const shop = readDemoShop();
  const eventLog = await openEventLog(url, { dataDir: "", now: Date.now, stream });
  await eventLog.append(shop.events.map((event) => toMessage(event)));
  const env = { NATS_STREAM: stream };
  const service = await startVitrine(["--events", url, "--workers", "1"], { env });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    await until(
      () => service.ops("/readyz"),
      ({ status }) => status === 200,
      60,
    );
    const id = await shownProduct(service.url, agent, shop.products);
    const asked = askProduct(String(id));
    let told = 0;
    return await inTurn(async () => {
      told += 1;
      const inStock = told % 2 === 0;
      const message = toMessage({
        specversion: "1.0",
        id: `bench-${told}`,
        source: "/shops/demo",
        type: "shop.stock.changed",
        subject: `stock/${id}`,
        time: new Date(shop.lastTime + told).toISOString(),
        datacontenttype: "application/json",
        data: { productId: id, quantity: inStock ? 1 : 0 },
      });
      await eventLog.append([message]);
      const availability = `"${inStock ? "IN_STOCK" : "OUT_OF_STOCK"}"`;
      while (!(await answer(service.url, agent, asked.body ?? "")).includes(availability));
    });
  } finally {
    agent.destroy();
    await service.stop();
    await eventLog.close();
  }
};

/** A product that answers, as its stock will. */
const shownProduct = async (
  url: string,
  agent: Agent,
  products: readonly { readonly id: number }[],
): Promise<number> => {
  for (const { id } of products) {
    const { body = "" } = askProduct(String(id));
    if ((await answer(url, agent, body)).includes('"availability"')) return id;
  }
  throw new Error("no product is shown");
};

/** Milliseconds each step takes, one after the other, once they are warm. */
const inTurn = async (step: () => Promise<void>): Promise<readonly number[]> => {
  const times: number[] = [];
  for (let at = 0; at < untimed + timed; at += 1) {
    const begun = performance.now();
    await step();
    if (at >= untimed) times.push(performance.now() - begun);
  }
  return times;
};

/** The text of an answer, over one connection that is kept open: `fetch` would take longer than what is timed. */
const answer = async (url: string, agent: Agent, body: string): Promise<string> => {
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  const asked = request(`${url}/graphql`, { method: "POST", agent, headers });
  asked.end(body);
  const [response] = await once(asked, "response");
  let text = "";
  for await (const chunk of response) text += chunk;
  return text;
};
