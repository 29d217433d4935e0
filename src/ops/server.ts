import { portOf, urlOf } from "../http/port.ts";
import { type Address, drain, listen } from "../http/server.ts";
import { createOps, type OpsWorld } from "./app.ts";
import { openStream } from "./console/event-stream.ts";
import { statusOf } from "./health/status.ts";

/** The running ops port. */
export interface Ops {
  /** URL for a browser, `http://127.0.0.1:9090`. */
  readonly url: string;
  /** Ends the event streams, waits briefly for requests in flight, and frees the port. */
  close(): Promise<void>;
}

const drainTimeoutMs = 500;

/**
 * Starts the ops port. The history of its console begins now.
 * @param now milliseconds since 1970
 * @throws VitrineError `listen`
 */
export const openOps = async (
  deps: OpsWorld,
  address: Pick<Address, "host" | "port">,
  now: () => number,
): Promise<Ops> => {
  const stream = openStream(() => statusOf(deps), now);
  try {
    const app = createOps(deps, stream, address.host);
    const server = await listen(app, { ...address, flag: "--ops-port" });
    return {
      url: urlOf(address.host, portOf(server)),
      async close() {
        stream.close();
        await drain(server, drainTimeoutMs);
      },
    };
  } catch (error) {
    stream.close();
    throw error;
  }
};
