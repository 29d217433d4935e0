import { formatUrl, portOf } from "../http/port.ts";
import { drain, listen } from "../http/server.ts";
import type { SettingValues } from "../settings.ts";
import { createOpsApp, type OpsDeps } from "./app.ts";
import { createStatusStream } from "./console/event-stream.ts";
import { buildStatus } from "./health/status.ts";

export interface OpsServer {
  /** URL for a browser, `http://127.0.0.1:9090`. */
  readonly url: string;
  /** Ends the event streams, waits briefly for requests in flight, and frees the port. */
  close(): Promise<void>;
}

type OpsAddress = Pick<SettingValues, "opsHost" | "opsPort" | "opsNames">;

const drainTimeoutMs = 500;

/**
 * Starts the ops port. The history of its console begins now.
 * @param now milliseconds since 1970
 * @throws VitrineError `listen`
 */
export const startOpsServer = async (
  deps: OpsDeps,
  { opsHost: host, opsPort: port, opsNames }: OpsAddress,
  now: () => number,
): Promise<OpsServer> => {
  const stream = createStatusStream(() => buildStatus(deps), now);
  try {
    const app = createOpsApp(deps, stream, [...opsNames, host.toLowerCase()]);
    const server = await listen(app, { host, port, flag: "--ops-port" });
    return {
      url: formatUrl(host, portOf(server)),
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
