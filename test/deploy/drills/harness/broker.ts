import {
  type NatsOperator,
  type NatsServer,
  natsOperator,
  startNats,
} from "../../../helpers/nats.ts";
import type { Drill } from "./drill.ts";
import type { Installation } from "./installation.ts";
import { shopEvents } from "./shop.ts";

/** Starts a broker, which is removed at the end of the drill. @param config further lines of its configuration */
export const startBroker = async (drill: Drill, config?: string): Promise<NatsServer> => {
  const broker = await startNats(config);
  drill.atEnd(broker.remove);
  return broker;
};

/** Does what an operator does with the `nats` tool. */
export const asOperator = async <T>(
  { url }: NatsServer,
  work: (operator: NatsOperator) => Promise<T>,
): Promise<T> => {
  const operator = await natsOperator(url);
  try {
    return await work(operator);
  } finally {
    await operator.disconnect();
  }
};

/** Starts a broker and a service that follows its stream, with the shop published. */
export const serveFromBroker = async (
  drill: Drill,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  home?: string,
): Promise<{ readonly broker: NatsServer; readonly shop: Installation }> => {
  const broker = await startBroker(drill);
  const shop = await drill.install({
    events: broker.url,
    env,
    ...(home !== undefined && { home }),
  });
  await shop.publish(shopEvents());
  await shop.serveReady(args);
  return { broker, shop };
};
