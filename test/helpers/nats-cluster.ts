import { type ConnectionOptions, connect } from "nats";
import { findFreePort } from "./free-port.ts";
import { type NatsServer, prepareNats } from "./nats.ts";
import { until } from "./vitrine.ts";

/** Three real nats-servers as one cluster, and the stream SHOP with a copy on each. */
export interface NatsCluster {
  readonly servers: readonly NatsServer[];
  /** Addresses for `--events`. */
  readonly url: string;
  /** Finds the server that leads the stream. Needs a majority of the servers. */
  leader(): Promise<NatsServer>;
  remove(): Promise<void>;
}

const size = 3;
const serverName = (at: number): string => `nats-${at + 1}`;

/** @param program nats-server, by default the one that the other tests use */
export const startNatsCluster = async (program?: string): Promise<NatsCluster> => {
  const ports = await Promise.all(Array.from({ length: size }, () => findFreePort()));
  const routes = ports.map((port) => `"nats://127.0.0.1:${port}"`).join(", ");
  const servers = await Promise.all(
    ports.map((port, at) =>
      prepareNats(
        `server_name: ${serverName(at)}\ncluster { name: shop, listen: "127.0.0.1:${port}", routes: [${routes}] }`,
        undefined,
        program,
      ),
    ),
  );
  const urls = servers.map(({ url }) => url);
  await bootstrap(servers, urls);
  return {
    servers,
    url: urls.join(","),
    leader: () => findLeader(servers, { servers: urls }),
    remove: async () => void (await Promise.all(servers.map((server) => server.remove()))),
  };
};

/** Seconds after which servers that start for the first time take a stream; they need five or six. */
const bootstrapSeconds = 20;

/**
 * Starts the servers, and creates the stream. Of new clusters of 2.10.27 some in a hundred never find all peers, and do so after a
 * restart; fewer if the servers start one after the other.
 */
const bootstrap = async (servers: readonly NatsServer[], urls: string[]): Promise<void> => {
  for (let attempts = 1; ; attempts += 1) {
    for (const server of servers) await server.start();
    try {
      await until(
        () => createStream({ servers: urls }),
        () => true,
        bootstrapSeconds,
      );
      return;
    } catch (error) {
      // Printed, because uvu drops an error of `before`.
      console.log(
        `  start ${attempts} of the brokers: ${error instanceof Error ? error.message : error}`,
      );
      if (attempts === 3) throw error;
      await Promise.all(servers.map((server) => server.stop()));
    }
  }
};

/** Fails until the servers have elected who manages streams. */
const createStream = async (options: ConnectionOptions): Promise<void> => {
  const connection = await connect(options);
  try {
    const { streams } = await connection.jetstreamManager();
    const found = await streams.info("SHOP").catch(() => undefined);
    if (!found) await streams.add({ name: "SHOP", subjects: ["shop.>"], num_replicas: size });
  } finally {
    await connection.close();
  }
};

const findLeader = async (
  servers: readonly NatsServer[],
  options: ConnectionOptions,
): Promise<NatsServer> => {
  const { cluster } = await until(
    async () => {
      const connection = await connect({ ...options, timeout: 2_000 });
      try {
        return await (await connection.jetstreamManager()).streams.info("SHOP");
      } finally {
        await connection.close();
      }
    },
    (info) => info.cluster?.leader !== undefined,
  );
  const at = servers.findIndex((_, index) => serverName(index) === cluster?.leader);
  const leader = servers[at];
  if (!leader) throw new Error(`no server is called ${cluster?.leader}`);
  return leader;
};
