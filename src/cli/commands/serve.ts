import { findPort, formatUrl } from "../../http/port.ts";
import { createLogger } from "../../log.ts";
import { type OpsServer, startOpsServer } from "../../ops/server.ts";
import { sleep } from "../../platform/async.ts";
import { openDataDirectory } from "../../read-model/generations/data-directory.ts";
import { flag } from "../command-spec.ts";
import { withDataDirectoryLock } from "../data-directory-lock.ts";
import { defineCommand } from "../define-command.ts";
import { assertLogReachable } from "../event-log.ts";
import { type ServeConfig, serveSettings } from "../shared-options.ts";
import { findInheritedSocket } from "../supervisor/inherited-socket.ts";
import { type Supervisor, type SupervisorDeps, startSupervisor } from "../supervisor/supervisor.ts";
import { readSynonyms } from "../synonyms-file.ts";
import { formatCount, print } from "../terminal/output.ts";
import { exitBy, listenForShutdown, type Shutdown } from "../terminal/signals.ts";
import { loadOrCreateSecret } from "../tokens/secret.ts";

export const serveCommand = defineCommand({
  settings: serveSettings,
  options: { demo: flag("load the demo shop if the journal is empty, and print requests to try") },
  examples: ["vitrine serve --port 8080 --events nats://127.0.0.1:4222 --workers 2"],
  // The demo user reads the printed text, not the log.
  defaults: ({ demo }) => (demo ? { logLevel: "warn" } : {}),
  check: ({ synonyms }) => void readSynonyms(synonyms),
  run: ({ config, options: { demo } }) =>
    serve(config, { synonyms: readSynonyms(config.synonyms), demo }),
});

interface ServeContext extends SupervisorDeps {
  /** Loads the demo shop into an empty journal, and prints requests to try. */
  readonly demo: boolean;
}

type ServeOptions = Pick<ServeContext, "synonyms" | "demo">;

/** Loaded on demand, because it loads the checks of event files. */
const demoShop = () => import("../event-files/demo-shop.ts");

/** Time until a stop is forced. HTTP drains in 5 s; a batch is written within a second, but with the most expensive HTML in some seconds. */
const stopTimeoutMs = 8_000;

/**
 * Supervises the projector and the HTTP processes until a signal ends them.
 * @returns exit code
 */
const serve = async (config: ServeConfig, options: ServeOptions): Promise<number> => {
  const log = createLogger(config.logLevel, "vitrine");
  let kill = (): void => undefined;
  const shutdown = listenForShutdown((signal) => {
    kill();
    exitBy(signal);
  });
  const directory = openDataDirectory(config.dataDir);
  return withDataDirectoryLock({ path: directory.path, onLost: shutdown.fail }, async () => {
    const socket = findInheritedSocket(process.env, process.pid);
    const port = socket ? config.port : await findPort({ host: config.host, port: config.port });
    const tokenSecret = loadOrCreateSecret(config.tokenSecret, directory.path);
    await assertLogReachable(config, directory);
    const loaded = options.demo ? await (await demoShop()).loadDemoShop(config) : 0;
    if (loaded > 0) print(`loaded the demo shop: ${formatCount(loaded, "event")}`);
    const context = {
      config: { ...config, port, tokenSecret },
      socket,
      directory,
      log,
      ...options,
    };
    const supervisor = startSupervisor(context);
    kill = supervisor.kill;
    await run(supervisor, context, shutdown);
    return 0;
  });
};

const run = async (
  supervisor: Supervisor,
  context: ServeContext,
  shutdown: Shutdown,
): Promise<void> => {
  const { config, log } = context;
  let ops: OpsServer | undefined;
  try {
    ops = await startOpsServer(supervisor.ops, config, Date.now);
    await Promise.race([supervisor.listening, shutdown.requested]);
    await announce(supervisor, context, ops.url, shutdown.signal);
    await shutdown.requested;
    log.info("ending");
  } finally {
    await supervisor.stop(stopTimeoutMs);
    await ops?.close();
  }
};

const announce = async (
  { ops }: Supervisor,
  { config, socket, demo }: ServeContext,
  opsUrl: string,
  signal: AbortSignal,
): Promise<void> => {
  const baseUrl = config.baseUrl ?? `http://localhost:${config.port}`;
  while (demo && ops.reasons().length > 0 && !signal.aborted) await sleep(50, signal);
  if (signal.aborted) return;
  const address = socket ? "the socket that systemd passed" : formatUrl(config.host, config.port);
  print(`
Vitrine answers on ${address}

  GraphQL  ${baseUrl}/graphql
  Tools    ${baseUrl}/agent/mcp  (MCP)
  Schema   ${baseUrl}/graphql/schema.graphql
  Console  ${opsUrl}
  Ops      ${opsUrl}/readyz  /healthz  /metrics  /status`);
  if (demo) print((await demoShop()).formatDemoHints(baseUrl, opsUrl));
};
