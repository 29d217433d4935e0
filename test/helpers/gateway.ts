import { createHmac } from "node:crypto";
import { join } from "node:path";
import type { EventLog } from "../../src/event-log/event-log.ts";
import { openEventLog } from "../../src/event-log/open.ts";
import type { CloudEvent } from "../../src/events/envelope.ts";
import type { WebhookEntry } from "../../src/gateway/configuration.ts";
import { type Gateway, startGateway } from "../../src/gateway/run.ts";
import { createLogger } from "../../src/log.ts";
import { temporaryDirectory } from "./directory.ts";

// Each journal that a test opens listens for the exit of the process.
process.setMaxListeners(100);

export const secret = "hush";

export const shopifyEntry: WebhookEntry = {
  name: "main",
  settings: { platform: "shopify", url: "https://shop.example", currency: "EUR", locations: 1 },
  secrets: [secret],
};

export interface TestGateway extends Gateway {
  readonly dataDir: string;
  /** Sends a webhook of Shopify, signed unless `signature` is given. */
  send(
    topic: string,
    body: object | string | Uint8Array,
    options?: SendOptions,
  ): Promise<GatewayAnswer>;
  /** Reads the events of the log. */
  events(): Promise<readonly CloudEvent[]>;
  ops(path: string): Promise<{ readonly status: number; readonly text: string }>;
}

export interface SendOptions {
  readonly name?: string;
  readonly method?: string;
  readonly signature?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface GatewayAnswer {
  readonly status: number;
  readonly body: { readonly delivery?: number | null; readonly error?: { readonly code: string } };
  readonly headers: Headers;
}

export const sign = (body: string | Uint8Array, key = secret): string =>
  createHmac("sha256", key).update(body).digest("base64");

/** Headers of a webhook of Shopify. */
export const signedHeaders = (
  topic: string,
  body: string | Uint8Array,
  signature = sign(body),
): Readonly<Record<string, string>> => ({
  "content-type": "application/json",
  "x-shopify-topic": topic,
  "x-shopify-hmac-sha256": signature,
});

export interface GatewayOptions {
  readonly dataDir?: string;
  readonly connections?: readonly WebhookEntry[];
  readonly openLog?: (dataDir: string) => Promise<EventLog>;
}

export const openJournalOf = (dataDir: string): Promise<EventLog> =>
  openEventLog("journal:", { dataDir, now: Date.now });

/** Starts a gateway in this process on free ports, with a journal. */
export const openGateway = async ({
  dataDir = join(temporaryDirectory().path, "data"),
  connections = [shopifyEntry],
  openLog = openJournalOf,
}: GatewayOptions = {}): Promise<TestGateway> => {
  const gateway = await startGateway({
    ...{ dataDir, connections, openLog: () => openLog(dataDir), trustProxy: 0 },
    ...{ gatewayHost: "127.0.0.1", gatewayPort: 0, opsHost: "127.0.0.1", gatewayOpsPort: 0 },
    log: createLogger("silent", "gateway"),
  });
  return {
    ...gateway,
    dataDir,
    async send(topic, body, { name = "main", method = "POST", signature, headers = {} } = {}) {
      const bytes =
        typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
      const response = await fetch(`${gateway.url}/connections/${name}`, {
        method,
        headers: { ...signedHeaders(topic, bytes, signature), ...headers },
        ...(method === "POST" ? { body: bytes } : {}),
      });
      const text = await response.text();
      return {
        status: response.status,
        body: text === "" ? {} : JSON.parse(text),
        headers: response.headers,
      };
    },
    events: () => readEvents(dataDir),
    async ops(path) {
      const response = await fetch(`${gateway.opsUrl}${path}`);
      return { status: response.status, text: await response.text() };
    },
  };
};

/** Reads all events of a journal; none when it does not exist. */
export const readEvents = async (dataDir: string): Promise<readonly CloudEvent[]> =>
  readAll(await openJournalOf(dataDir));

/** Reads all events of a log, and closes it. */
export const readAll = async (eventLog: EventLog): Promise<readonly CloudEvent[]> => {
  try {
    const events: CloudEvent[] = [];
    for await (const chunk of eventLog.read({ after: 0, follow: false })) {
      for (const { body } of chunk) events.push(JSON.parse(Buffer.from(body).toString()));
    }
    return events;
  } finally {
    await eventLog.close();
  }
};
