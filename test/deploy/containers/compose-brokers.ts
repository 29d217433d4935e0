import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Daemon, startDaemon } from "../../helpers/daemon.ts";
import { temporaryDirectory } from "../../helpers/directory.ts";
import { findFreePort } from "../../helpers/free-port.ts";
import { natsProgram } from "../../helpers/nats.ts";
import { type ComposeFile, readComposeFile } from "./compose-file.ts";

export interface ComposeBroker extends Daemon {
  readonly name: string;
  readonly url: string;
  /** Address of its health check. */
  readonly healthUrl: string;
}

const loopback = "127.0.0.1";

/** Starts the servers of compose.yml with their commands, each on free ports of the loopback address in place of its own. */
export const startComposeBrokers = async (): Promise<readonly ComposeBroker[]> => {
  const { services, configs } = readComposeFile();
  const accounts = join(temporaryDirectory().path, "accounts.conf");
  writeFileSync(accounts, readAccounts(configs));
  const names = Object.keys(services).filter((name) => name.startsWith("nats-"));
  const routes = new Map(
    await Promise.all(
      names.map(async (name) => [name, `${loopback}:${await findFreePort()}`] as const),
    ),
  );
  return Promise.all(
    names.map((name) =>
      startBroker(name, [...(services[name]?.command ?? []), `--config=${accounts}`], routes),
    ),
  );
};

/** Reads the accounts as Compose fills them in, each password being the user with `-password`. */
const readAccounts = (configs: ComposeFile["configs"]): string =>
  (configs["accounts"]?.content ?? "")
    .replaceAll(/\$\{(\w+)_PASS:\?[^}]*\}/g, (_, user: string) => passwordOf(user.toLowerCase()))
    .replaceAll("$$", "$");

export const passwordOf = (user: string): string => `${user}-password`;

const startBroker = async (
  name: string,
  command: readonly string[],
  routes: ReadonlyMap<string, string>,
): Promise<ComposeBroker> => {
  const [client, http] = [await findFreePort(), await findFreePort()];
  const args = command
    .filter((argument) => !argument.includes("/etc/nats/"))
    .map((argument) =>
      [...routes]
        .reduce((text, [peer, route]) => text.replace(`${peer}:6222`, route), argument)
        .replace("0.0.0.0:6222", routes.get(name) ?? "")
        .replace("=8222", `=${http}`)
        .replace("=/data", `=${temporaryDirectory().path}`),
    );
  const listen = [`--addr=${loopback}`, `--port=${client}`];
  const daemon = await startDaemon(natsProgram(), [...args, ...listen], client);
  const [url, healthUrl] = [`nats://${loopback}:${client}`, `http://${loopback}:${http}/healthz`];
  return { ...daemon, name, url, healthUrl };
};
