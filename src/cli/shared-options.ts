import type { ConfigOf, SettingName } from "../config.ts";

/** Settings that several commands share. */

export const logSettings = ["dataDir", "events", "natsStream"] as const;

const opsSettings = ["opsPort", "opsHost"] as const;

/** Settings of commands that also query the ops port of the running service. */
export const controlSettings = [...opsSettings, ...logSettings] as const;

export const projectorSettings = [
  ...controlSettings,
  "opsNames",
  "maxLag",
  "onDivergence",
  "logLevel",
] as const satisfies readonly SettingName[];

export const serveSettings = [
  "port",
  "host",
  "baseUrl",
  "workers",
  "registration",
  "selfIssuedTokens",
  "toolsAccess",
  "tokenSecret",
  "rateLimit",
  "trustProxy",
  "maxFollowers",
  "sharedMaxAge",
  "allowedOrigins",
  "synonyms",
  ...projectorSettings,
] as const satisfies readonly SettingName[];

export const gatewaySettings = [
  "connections",
  "gatewayPort",
  "gatewayHost",
  "gatewayOpsPort",
  "opsHost",
  "trustProxy",
  ...logSettings,
  "logLevel",
] as const satisfies readonly SettingName[];

export const importSettings = ["connections", ...logSettings] as const;

export type DataConfig = ConfigOf<"dataDir">;
export type LogConfig = ConfigOf<(typeof logSettings)[number]>;
export type ControlConfig = ConfigOf<(typeof controlSettings)[number]>;
export type ProjectorConfig = ConfigOf<(typeof projectorSettings)[number]>;
/** Settings of the query worker behind the ops port. */
export type QueryWorkerConfig = LogConfig & ConfigOf<"logLevel">;
export type ImportConfig = ConfigOf<(typeof importSettings)[number]>;
export type GatewayConfig = ConfigOf<(typeof gatewaySettings)[number]>;
export type ServeConfig = ConfigOf<(typeof serveSettings)[number]>;
