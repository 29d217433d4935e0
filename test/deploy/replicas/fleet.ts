import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../src/package-info.ts";
import { clusterNats } from "../../helpers/cluster-nats.ts";
import { temporaryDirectory } from "../../helpers/directory.ts";
import { findFreePort } from "../../helpers/free-port.ts";
import { type NatsCluster, startNatsCluster } from "../../helpers/nats-cluster.ts";
import { type LoadOptions, type SteadyLoad, startLoad } from "../../helpers/steady-load.ts";
import { type RunningVitrine, startVitrine } from "../../helpers/vitrine.ts";
import { startShop } from "../proxy/stand-in-shop.ts";
import { fill, hostName, type RunningProxy, startNginx } from "../proxy/start-proxy.ts";

/** Three brokers, replicas of Vitrine and nginx, as deploy/replicas/README.md describes them. */
export interface Fleet {
  readonly cluster: NatsCluster;
  readonly replicas: readonly Replica[];
  readonly nginx: RunningProxy;
  /** Sends requests of several clients through nginx. */
  startLoad(options?: LoadOptions): SteadyLoad;
  close(): Promise<void>;
}

/** A replica with its own model, on fixed ports so that it can be started again. */
export interface Replica {
  readonly dataDir: string;
  readonly port: number;
  readonly opsUrl: string;
  running(): RunningVitrine;
  start(): Promise<void>;
}

/** Seconds of lag past which a replica is not ready. */
export const maxLag = 2;

/** Environment of each replica and of each command. */
export const replicaEnv = { TOKEN_SECRET: "a secret that all replicas share" };

/** @param rateLimit requests a minute for each client address */
export const openFleet = async (rateLimit = 1_000_000): Promise<Fleet> => {
  const cluster = await startNatsCluster(clusterNats());
  const replicas = await Promise.all(
    Array.from({ length: 3 }, () => prepareReplica(cluster, rateLimit)),
  );
  await Promise.all(replicas.map((replica) => replica.start()));
  const shop = await startShop();
  const nginx = await startNginx({ shop: shop.port }, nginxReplicas(replicas));
  return {
    ...{ cluster, replicas, nginx },
    startLoad: (options) => startLoad(nginx.port, requests, { ...loadDefaults, ...options }),
    async close() {
      await nginx.stop();
      await Promise.all(replicas.map((replica) => replica.running().stop()));
      shop.close();
      await cluster.remove();
    },
  };
};

/** Creates the settings of nginx for these replicas. */
export const nginxReplicas = (replicas: readonly Pick<Replica, "port">[]) => {
  const file = join(temporaryDirectory().path, "vitrine-replicas.conf");
  writeFileSync(
    file,
    replicas.map(({ port }) => `server 127.0.0.1:${port} fail_timeout=2s;\n`).join(""),
  );
  return {
    edit: (site: string) => withReplicas(site, file),
    serverSettings: fill(readReplicaFile("server.conf"), {
      "X-Max-Data-Age 60": `X-Max-Data-Age ${maxLag}`,
    }),
  };
};

/** Addresses of clients that nginx spreads over the replicas. */
export const clientAddress = (at: number): string => `127.1.${at}.1`;

/** Connections of the load. */
export const connections = 9;

const loadDefaults: LoadOptions = {
  // Leaves time for the brokers: on a machine without it they do not elect a leader.
  pauseMs: 150,
  ...{ connections, tlsName: hostName, addressOf: clientAddress, repeatsReads: true },
};

const requests = [
  { path: "/apparel/cozy-quilted-winter-parka-1300.md" },
  { path: "/llms.txt" },
  { path: "/graphql", body: '{"query":"{ products(first: 5) { totalCount } }"}' },
];

export const prepareReplica = async (
  { url }: NatsCluster,
  rateLimit = 1_000_000,
): Promise<Replica> => {
  const dataDir = join(temporaryDirectory().path, "data");
  const [port, opsPort] = [await findFreePort(), await findFreePort()];
  const args = [
    ...["--port", String(port), "--ops-port", String(opsPort), "--events", url],
    ...["--trust-proxy", "1", "--max-lag", String(maxLag), "--rate-limit", String(rateLimit)],
    ...["--base-url", `https://${hostName}`],
  ];
  let running: RunningVitrine | undefined;
  return {
    ...{ dataDir, port, opsUrl: `http://127.0.0.1:${opsPort}` },
    running() {
      if (!running) throw new Error("the replica was not started");
      return running;
    },
    async start() {
      running = await startVitrine(args, { dataDir, env: replicaEnv });
    },
  };
};

const readReplicaFile = (name: string): string =>
  readFileSync(join(packageRoot, "deploy", "replicas", name), "utf8");

/** Puts deploy/replicas/upstream.conf in place of the upstream of one service. */
const withReplicas = (site: string, file: string): string => {
  const upstream = fill(readReplicaFile("upstream.conf"), {
    "/etc/nginx/vitrine-replicas.conf": file,
  });
  return site.replace(/^upstream vitrine \{.*?^\}\n/ms, upstream);
};
