import { formatUrl, portOf } from "../http/port.ts";
import { drain, type ListenAddress, listen } from "../http/server.ts";
import { createOpsApp, type OpsDeps } from "./app.ts";
import { createStatusStream } from "./console/event-stream.ts";
import { buildStatus } from "./health/status.ts";

/** The running ops port. */
export interface OpsServer {
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
export const startOpsServer = async (
  deps: OpsDeps,
  address: Pick<ListenAddress, "host" | "port">,
  now: () => number,
): Promise<OpsServer> => {
  const stream = createStatusStream(() => buildStatus(deps), now);
  try {
    const app = createOpsApp(deps, stream, address.host);
    const server = await listen(app, { ...address, flag: "--ops-port" });
    return {
      url: formatUrl(address.host, portOf(server)),
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
