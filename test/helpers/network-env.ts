const names = [
  "NODE_EXTRA_CA_CERTS",
  "HTTPS_PROXY",
  "HTTP_PROXY",
  "NO_PROXY",
  "npm_config_registry",
];

/** Returns the variables by which this machine reaches the npm registry, for a process that gets no others of the environment. */
export const networkEnv = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
