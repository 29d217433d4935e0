import { homedir } from "node:os";
import { join } from "node:path";

const names = [
  "NODE_EXTRA_CA_CERTS",
  "HTTPS_PROXY",
  "HTTP_PROXY",
  "NO_PROXY",
  "npm_config_registry",
];

/**
 * Returns the variables by which this machine reaches the npm registry, for a process that gets no others of the environment. npm takes
 * what `npm ci` of the checkout has loaded from its cache, by the checksums of the lock.
 */
export const networkEnv = (): Readonly<Record<string, string>> => ({
  npm_config_cache: process.env.npm_config_cache ?? join(homedir(), ".npm"),
  npm_config_prefer_offline: "true",
  ...Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  ),
});
