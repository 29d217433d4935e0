import { setTimeout as delay } from "node:timers/promises";
import { connect } from "nats";
import { stockChanged } from "../../helpers/events.ts";

/** Publishes stock events without end, as a shop does: it sends an event again until the stream has acknowledged it. */
export interface ShopPublisher {
  /** Events that the stream has acknowledged. */
  acknowledged(): number;
  stop(): Promise<void>;
}

/** Milliseconds between two events. */
const pauseMs = 40;

/** @param servers addresses of the brokers, separated by commas */
export const startPublisher = async (servers: string): Promise<ShopPublisher> => {
  const connection = await connect({
    servers: servers.split(","),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 200,
    // Leaves a broker that hangs within seconds; the default is minutes.
    pingInterval: 1_000,
    maxPingOut: 2,
  });
  const client = connection.jetstream({ timeout: 1_000 });
  let acknowledged = 0;
  let isEnding = false;
  const publish = async (): Promise<void> => {
    while (!isEnding) {
      const event = stockChanged(
        { productId: 1300, quantity: acknowledged % 90 },
        { id: `stock-1300-${acknowledged}`, time: new Date().toISOString() },
      );
      try {
        await client.publish("shop.stock.1300", JSON.stringify(event), { msgID: event.id });
        acknowledged += 1;
        await delay(pauseMs);
      } catch {
        await delay(100);
      }
    }
  };
  const publishing = publish();
  return {
    acknowledged: () => acknowledged,
    async stop() {
      isEnding = true;
      await publishing;
      await connection.close();
    },
  };
};
