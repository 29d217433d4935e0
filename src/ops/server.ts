import { portOf, urlOf } from "../http/port.ts";
import { type Address, drain, listen } from "../http/server.ts";
import { createOps, type OpsWorld } from "./app.ts";
import { openStream } from "./console/event-stream.ts";
import { statusOf } from "./health/status.ts";

/** The ops port, as long as it is open. */
export interface Ops {
  /** `http://127.0.0.1:9090`, as a person may follow it. */
  readonly url: string;
  /** Ends the pages that look on, waits shortly for what is asked, and frees the port. */
  close(): Promise<void>;
}

/** Milliseconds. */
const patience = 500;

/**
 * Opens the ops port. What its console shows of the past begins now.
 * @param now milliseconds since 1970
 * @throws VitrineError `listen`
 */
export const openOps = async (
  world: OpsWorld,
  address: Pick<Address, "host" | "port">,
  now: () => number,
): Promise<Ops> => {
  const stream = openStream(() => statusOf(world), now);
  try {
    const app = createOps(world, stream, address.host);
    const server = await listen(app, { ...address, flag: "--ops-port" });
    return {
      url: urlOf(address.host, portOf(server)),
      async close() {
        stream.close();
        await drain(server, patience);
      },
    };
  } catch (error) {
    stream.close();
    throw error;
  }
};
