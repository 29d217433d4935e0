import { connect, type NatsConnection } from "nats";
import {
  categoryUpserted,
  priceChanged,
  productUpserted,
  settingsUpdated,
  stockChanged,
} from "../../helpers/events.ts";
import { natsOperator, startNats } from "../../helpers/nats.ts";
import { ndjson, type RunningVitrine, run, startVitrine, until } from "../../helpers/vitrine.ts";

/** Two replicas that follow one stream. */
export interface Replicas {
  readonly services: readonly RunningVitrine[];
  /** Host and port of each ops port, as Prometheus scrapes them. */
  readonly targets: readonly string[];
  /** Publishes an event, and sends a request to each replica: rates and quantiles need changes between two scrapes. */
  work(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts both, with something of everything that the metrics count: 5xx answers before the first event, a dead letter, an orphan,
 * a stale event, a hidden category and rate-limited requests.
 */
export const startReplicas = async (): Promise<Replicas> => {
  const nats = await startNats();
  const operator = await natsOperator(nats.url);
  await operator.streams.add({ name: "SHOP", subjects: ["shop.>"] });
  await operator.disconnect();
  const args = ["--events", nats.url, "--nats-stream", "SHOP", "--rate-limit", "20"];
  const services = await Promise.all([startVitrine(args), startVitrine(args)]);
  for (const service of services) await request(service);
  const connection = await connect({ servers: nats.url });
  await publishIncidents(nats.url, connection);
  await Promise.all(services.map(toReady));
  return {
    services,
    targets: services.map(({ opsUrl }) => new URL(opsUrl).host),
    async work() {
      await connection.jetstream().publish("shop.product.1", "nonsense");
      for (const service of services) await request(service);
    },
    async stop() {
      await connection.close();
      await Promise.all(services.map((service) => service.stop()));
      await nats.remove();
    },
  };
};

const request = (service: RunningVitrine) => service.graphql("{ shop { name } }");

const publishIncidents = async (url: string, connection: NatsConnection): Promise<void> => {
  const events = [
    settingsUpdated(),
    categoryUpserted(),
    categoryUpserted({ id: 2, parentId: 99 }),
    productUpserted({ id: 1, categoryIds: [1] }),
    stockChanged({ productId: 1 }),
    stockChanged({ productId: 1 }, { time: "2026-01-01T00:00:00Z" }),
    priceChanged({ productId: 8 }),
  ];
  await run(["publish", "-", "--events", url, "--nats-stream", "SHOP"], { input: ndjson(events) });
  await connection.jetstream().publish("shop.product.1", "nonsense");
};

/** Waits until a replica is ready and has counted everything, and exceeds its rate limit. */
const toReady = async (service: RunningVitrine): Promise<void> => {
  await service.ready();
  await until(
    () => service.ops("/metrics"),
    ({ text }) => /^vitrine_orphans 1$/m.test(text) && /^vitrine_dead_letters 1$/m.test(text),
  );
  await until(
    () => request(service),
    ({ status }) => status === 429,
  );
};
