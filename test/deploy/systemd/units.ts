import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../src/package-info.ts";

const readUnit = (name: string): string =>
  readFileSync(join(packageRoot, "deploy", "systemd", name), "utf8");

export interface UnitSettings {
  readonly port: number;
  readonly opsPort: number;
  /** Further settings of the service, `NAME=value`. */
  readonly environment: readonly string[];
}

/** Path of the file, among the processes of systemd, that the service writes its output to. */
export const outputFile = "/run/output";

/** The units of `deploy/systemd`, with drop-ins for the ports and the settings of a test. */
export const vitrineUnits = ({
  port,
  opsPort,
  environment,
}: UnitSettings): Readonly<Record<string, string>> => ({
  "vitrine.service": readUnit("vitrine.service"),
  "vitrine.socket": readUnit("vitrine.socket"),
  "vitrine.service.d/test.conf": [
    "[Service]",
    `Environment=PORT=${port} OPS_PORT=${opsPort} ${environment.join(" ")}`,
    `StandardOutput=append:${outputFile}`,
    `StandardError=append:${outputFile}`,
    "",
  ].join("\n"),
  "vitrine.socket.d/test.conf": `[Socket]\nListenStream=\nListenStream=127.0.0.1:${port}\n`,
});

export interface GatewaySettings {
  readonly port: number;
  readonly opsPort: number;
  /** Further settings of the gateway, `NAME=value`. */
  readonly environment: readonly string[];
}

/** The unit of the gateway, with a drop-in for the ports and the settings of a test. */
export const gatewayUnits = ({
  port,
  opsPort,
  environment,
}: GatewaySettings): Readonly<Record<string, string>> => ({
  "vitrine-gateway.service": readUnit("vitrine-gateway.service"),
  "vitrine-gateway.service.d/test.conf": [
    "[Service]",
    `Environment=GATEWAY_PORT=${port} GATEWAY_OPS_PORT=${opsPort} ${environment.join(" ")}`,
    `StandardOutput=append:${outputFile}`,
    `StandardError=append:${outputFile}`,
    "",
  ].join("\n"),
});
