/** An installation as the runbook assumes it: a data directory, a shop's export, a service and a shell with its settings. */
import { join } from "node:path";
import { openEventLog } from "../../../../src/event-log/open.ts";
import type { CloudEvent } from "../../../../src/events/envelope.ts";
import { openDataDirectory } from "../../../../src/read-model/generations/data-directory.ts";
import { temporaryDirectory } from "../../../helpers/directory.ts";
import { findFreePort } from "../../../helpers/free-port.ts";
import { append } from "../../../helpers/projector.ts";
import { compileCache, type RunningVitrine, startVitrine } from "../../../helpers/vitrine.ts";
import type { Substitution } from "./comparable.ts";
import { pathWithVitrine, type Shell, type ShellRun, startCommands } from "./shell.ts";
import { shopEvents, writeEvents } from "./shop.ts";

export interface Installation extends Shell {
  readonly dataDir: string;
  /** What the runbook shows instead of the directories and ports of this installation. */
  readonly substitutions: readonly Substitution[];
  /** The service that was started last. */
  service(): RunningVitrine;
  /** Logs of all its services. */
  logs(): readonly string[];
  /** Starts the service and waits until it answers. @param env further settings */
  serve(args?: readonly string[], env?: Readonly<Record<string, string>>): Promise<RunningVitrine>;
  /** Starts the service and waits until it is ready. */
  serveReady(args?: readonly string[], env?: Readonly<Record<string, string>>): Promise<void>;
  /** Runs commands that are not in the runbook, such as those of the shop. */
  shell(commands: string): Promise<ShellRun>;
  /** Appends events to the event log, as the shop does. */
  publish(events: readonly CloudEvent[]): Promise<void>;
  /** Writes a file of events into the directory of the shell. */
  write(name: string, events: readonly CloudEvent[]): void;
  /** Stops the service. */
  close(): Promise<void>;
}

export interface InstallationOptions {
  /** Address of the event log; the journal in the data directory by default. */
  readonly events?: string;
  /** Directory that holds everything, such as a small disk. */
  readonly home?: string;
  /** Further settings of the service and of the commands. */
  readonly env?: Readonly<Record<string, string>>;
}

export const openInstallation = async ({
  events,
  home = temporaryDirectory().path,
  env: more = {},
}: InstallationOptions = {}): Promise<Installation> => {
  const dataDir = join(home, "data");
  const port = String(await findFreePort());
  const opsPort = String(await findFreePort());
  const settings = {
    DATA_DIR: dataDir,
    PORT: port,
    OPS_PORT: opsPort,
    ...(events !== undefined && { EVENTS: events }),
    ...more,
  };
  const env = {
    ...{ PATH: pathWithVitrine(home), HOME: home, LOG_LEVEL: "warn" },
    ...{ ...compileCache, ...settings },
  };
  const services: RunningVitrine[] = [];
  const serve: Installation["serve"] = async (args = [], further = {}) => {
    const service = await startVitrine([...args, "--port", port, "--ops-port", opsPort], {
      dataDir,
      env: { ...settings, LOG_LEVEL: "info", ...further },
    });
    services.push(service);
    return service;
  };
  writeEvents(home, "shop.ndjson", shopEvents());
  return {
    directory: home,
    dataDir,
    env,
    substitutions: substitute({ home, dataDir, port, opsPort, events }),
    service() {
      const newest = services.at(-1);
      if (newest === undefined) throw new Error("no service was started");
      return newest;
    },
    logs: () => services.map(({ stderr }) => stderr()),
    serve,
    serveReady: async (args, further) => (await serve(args, further)).ready(),
    shell: (commands) => startCommands(commands, { directory: home, env }).ended,
    async publish(published) {
      openDataDirectory(dataDir);
      const log = await openEventLog(events ?? "journal:", { dataDir, now: Date.now });
      await append(log, ...published);
      await log.close();
    },
    write: (name, written) => writeEvents(home, name, written),
    close: async () => {
      await Promise.all(services.map(({ stop }) => stop()));
    },
  };
};

interface Used {
  readonly home: string;
  readonly dataDir: string;
  readonly port: string;
  readonly opsPort: string;
  readonly events: string | undefined;
}

const substitute = ({
  home,
  dataDir,
  port,
  opsPort,
  events = "",
}: Used): readonly Substitution[] => [
  [dataDir, "/var/lib/vitrine/data"],
  [home, "/root"],
  [`:${port}`, ":8080"],
  [`:${opsPort}`, ":9090"],
  [`port ${opsPort}`, "port 9090"],
  ...(events.startsWith("nats:")
    ? ([[events.replace("nats://", ""), "broker.example:4222"]] as const)
    : []),
];
