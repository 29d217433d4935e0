import { join } from "node:path";
import { listConnections } from "../../../gateway/inbox/operate.ts";
import { connectionsDirectory } from "../../../gateway/inbox/tables.ts";
import { copyEnvironment, dataFile } from "../../../read-model/generations/backup.ts";
import { backupPaths } from "../../../read-model/generations/backup-manifest.ts";

/**
 * Copies one commit of each connection, while a gateway takes and translates deliveries. Call it before the journal is
 * copied, so that the copy of the journal has what the state says was published.
 * @returns paths of the files in the backup
 */
export const copyConnections = async (
  dataDir: string,
  target: string,
): Promise<readonly string[]> => {
  const paths: string[] = [];
  for (const name of listConnections(dataDir)) {
    const directory = join(backupPaths.connections, name);
    await copyEnvironment(join(connectionsDirectory(dataDir), name), join(target, directory));
    paths.push(join(directory, dataFile));
  }
  return paths;
};

/** Lists the connections that a backup has. */
export const connectionsOf = (files: readonly { readonly path: string }[]): readonly string[] =>
  files.flatMap(({ path }) => connectionFile.exec(path)?.[1] ?? []);

/** Names of connections have no other character, so that no path leads out of the directory. */
const connectionFile = new RegExp(`^${backupPaths.connections}/([a-z0-9-]+)/${dataFile}$`);
