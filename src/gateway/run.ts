import { statfsSync } from "node:fs";
import { join } from "node:path";
import type { EventLog } from "../event-log/event-log.ts";
import { formatUrl, portOf } from "../http/port.ts";
import { drain, listen } from "../http/server.ts";
import type { Logger } from "../log.ts";
import { createReceiverApp } from "./app.ts";
import type { WebhookEntry } from "./configuration.ts";
import { type RunningConnection, startConnection } from "./connection.ts";
import { createGatewayMetrics } from "./metrics.ts";
import { createGatewayOpsApp } from "./ops-app.ts";
import { createPublisher } from "./publisher.ts";

export interface GatewayOptions {
  readonly dataDir: string;
  readonly gatewayHost: string;
  readonly gatewayPort: number;
  readonly gatewayOpsPort: number;
  readonly opsHost: string;
  readonly trustProxy: number;
  readonly connections: readonly WebhookEntry[];
  readonly openLog: () => Promise<EventLog>;
  readonly log: Logger;
}

export interface Gateway {
  /** `http://127.0.0.1:8090` */
  readonly url: string;
  readonly opsUrl: string;
  /** Answers what has arrived, ends the translation after its batch, and closes all files. */
  stop(): Promise<void>;
}

/** Time for open requests when the gateway stops, in milliseconds. */
const drainMs = 5_000;
/** Free space below which no delivery is accepted, so that other processes can still write. */
const minFreeBytes = 64 * 1024 * 1024;

/**
 * Starts both ports and the translation of every connection.
 * @throws VitrineError `listen`
 */
export const startGateway = async (options: GatewayOptions): Promise<Gateway> => {
  const { log, dataDir } = options;
  const ended = new AbortController();
  const publisher = createPublisher(options.openLog);
  const directory = join(dataDir, "connections");
  const depths = () => new Map(running.map(({ name, depth }) => [name, depth()]));
  const metrics = createGatewayMetrics(depths);
  const running: readonly RunningConnection[] = options.connections.map((entry) =>
    startConnection(entry, {
      ...{ directory, publish: publisher.append, onBatch: metrics.countBatch, log },
      signal: ended.signal,
    }),
  );
  const hasSpace = createSpaceCheck(dataDir);
  const app = createReceiverApp({
    receivers: new Map(running.map(({ name, receiver }) => [name, receiver])),
    trustedProxies: options.trustProxy,
    unavailable: () =>
      ended.signal.aborted
        ? "the gateway stops"
        : hasSpace()
          ? undefined
          : "the disk is nearly full",
    onAnswer: metrics.countAnswer,
    now: Date.now,
    log,
  });
  const reasons = () => running.flatMap((each) => each.reasons());
  const opsApp = createGatewayOpsApp({ reasons, metrics: metrics.render, log });
  const { gatewayHost, gatewayPort, opsHost, gatewayOpsPort } = options;
  const opsAddress = { host: opsHost, port: gatewayOpsPort, flag: "--gateway-ops-port" } as const;
  const opsServer = await listen(opsApp, opsAddress);
  const address = { host: gatewayHost, port: gatewayPort, flag: "--gateway-port" } as const;
  const server = await listen(app, address);
  return {
    url: formatUrl(gatewayHost, portOf(server)),
    opsUrl: formatUrl(opsHost, portOf(opsServer)),
    async stop() {
      ended.abort();
      await drain(server, drainMs);
      await Promise.all(running.map(({ close }) => close()));
      await publisher.close();
      await drain(opsServer, 0);
    },
  };
};

/** Time for which a measured space counts, in milliseconds. */
const spaceMs = 100;

/** Asks for the free space now and then, because each request asks for it. */
const createSpaceCheck = (directory: string): (() => boolean) => {
  let [hasSpace, until] = [true, 0];
  return () => {
    const now = performance.now();
    if (now >= until) {
      const { bavail, bsize } = statfsSync(directory);
      [hasSpace, until] = [bavail * bsize > minFreeBytes, now + spaceMs];
    }
    return hasSpace;
  };
};
