import { findFreePort } from "../../helpers/free-port.ts";
import { until } from "../../helpers/vitrine.ts";
import { type Started, startCommands } from "../drills/harness/shell.ts";
import { blocksOf, connectionsIn, guides, type Home, openHome, readPage } from "./guides.ts";

/** A gateway that runs by the command of the guides, with the connections of all guides. */
export interface RunningGateway {
  readonly home: Home;
  readonly port: number;
  /** Starts it again after a stop, and waits until it answers. */
  start(): Promise<void>;
  stop(): Promise<unknown>;
}

export const startGatewayOfGuides = async (): Promise<RunningGateway> => {
  const [port, opsPort] = [await findFreePort(), await findFreePort()];
  const connections = Object.assign({}, ...guides.map((guide) => connectionsIn(readPage(guide))));
  const ports = { GATEWAY_PORT: String(port), GATEWAY_OPS_PORT: String(opsPort) };
  const home = openHome(connections, ports);
  const [command = ""] = blocksOf("README.md", "sh");
  let running: Started | undefined;
  const start = async (): Promise<void> => {
    running = startCommands(command, home);
    const readyz = `http://127.0.0.1:${opsPort}/readyz`;
    await until(
      () => fetch(readyz),
      ({ status }) => status === 200,
    );
  };
  await start();
  return { home, port, start, stop: async () => running?.stop() };
};
