import type { ConfigOf, SettingName } from "../config.ts";

/** Settings that commands read together, and what is read of them. */

export const logSettings = ["dataDir", "events", "natsStream"] as const;

const opsSettings = ["opsPort", "opsHost"] as const;

/** Of a command that also asks the ops port of the service that runs on its data directory. */
export const controlSettings = [...opsSettings, ...logSettings] as const;

export const projectorSettings = [
  ...controlSettings,
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
  "tokenSecret",
  "rateLimit",
  "trustProxy",
  "allowedOrigins",
  "synonyms",
  ...projectorSettings,
] as const satisfies readonly SettingName[];

export type DataConfig = ConfigOf<"dataDir">;
export type LogConfig = ConfigOf<(typeof logSettings)[number]>;
export type ControlConfig = ConfigOf<(typeof controlSettings)[number]>;
export type ProjectorConfig = ConfigOf<(typeof projectorSettings)[number]>;
/** Of the process that looks things up for the ops port. */
export type LookConfig = LogConfig & ConfigOf<"logLevel">;
export type ServeConfig = ConfigOf<(typeof serveSettings)[number]>;
