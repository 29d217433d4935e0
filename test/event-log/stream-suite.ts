import { suite, type Test } from "uvu";
import type { EventLog } from "../../src/event-log/event-log.ts";
import { type NatsOperator, type NatsServer, natsOperator, startNats } from "../helpers/nats.ts";
import { openShop } from "./implementations.ts";

interface StreamContext {
  server: NatsServer;
  operator: NatsOperator;
  log: EventLog;
}

/** In ms: a short idle timeout, so that the tests end soon. */
export const timing = { idleTimeoutMs: 300 };

/** A suite whose tests each have a broker with the stream of a shop, opened as `log`, and the broker's operator. */
export const streamSuite = (title: string): Test<StreamContext> => {
  const test = suite<StreamContext>(title);
  test.before.each(async (context) => {
    context.server = await startNats();
    context.operator = await natsOperator(context.server.url);
    context.log = await openShop(context.server.url, { timing });
  });
  test.after.each(async ({ server, operator, log }) => {
    await log.close();
    await operator.disconnect();
    await server.remove();
  });
  return test;
};
