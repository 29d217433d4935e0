import { redactAddress } from "../../event-log/open.ts";
import { readConnections, readSecrets } from "../../gateway/configuration.ts";
import { startGateway } from "../../gateway/run.ts";
import { createLogger } from "../../log.ts";
import { lockConnections } from "../../projector/integrity/lock.ts";
import { openDataDirectory } from "../../read-model/generations/data-directory.ts";
import { defineCommand } from "../define-command.ts";
import { openLogToAppend } from "../event-log.ts";
import { type GatewayConfig, gatewaySettings } from "../shared-options.ts";
import { print } from "../terminal/output.ts";
import { listenForShutdown } from "../terminal/signals.ts";

export const gatewayCommand = defineCommand({
  settings: gatewaySettings,
  examples: [
    "vitrine gateway --connections connections.json",
    "vitrine gateway --connections connections.json --events nats://127.0.0.1:4222",
  ],
  notes: `Takes the webhooks of the platforms in the file of connections, at /connections/NAME, and publishes their
events to the log. A delivery is answered when the inbox of its connection has it on the disk, so that an
outage of the log loses none. One gateway for each data directory; serve may run beside it.`,
  run: ({ config }) => runGateway(config),
});

/** @returns exit code */
const runGateway = async (config: GatewayConfig): Promise<number> => {
  const connections = readSecrets(readConnections(config.connections), process.env);
  const log = createLogger(config.logLevel, "gateway");
  const shutdown = listenForShutdown();
  const { path } = openDataDirectory(config.dataDir);
  const release = await lockConnections(path, shutdown.fail);
  try {
    const openLog = () => openLogToAppend(config);
    const gateway = await startGateway({ ...config, dataDir: path, connections, openLog, log });
    const names = connections.map(({ name }) => `  ${gateway.url}/connections/${name}`);
    print(
      `the gateway takes deliveries and publishes to ${redactAddress(config.events)}\n\n${names.join("\n")}\n\n  Ops  ${gateway.opsUrl}/readyz`,
    );
    try {
      await shutdown.requested;
    } finally {
      await gateway.stop();
    }
    return 0;
  } finally {
    await release().catch(() => undefined);
  }
};
