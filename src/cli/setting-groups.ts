import type { SettingName } from "../config.ts";

/** Settings that commands read together. */

export const logSettings = ["dataDir", "events", "natsStream"] as const;

export const opsSettings = ["opsPort", "opsHost"] as const;

export const projectorSettings = [
  ...opsSettings,
  ...logSettings,
  "maxLag",
  "onDivergence",
  "logLevel",
] as const satisfies readonly SettingName[];
