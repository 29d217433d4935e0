import { basename } from "node:path";
import { type ConnectionSettings, readConnections } from "../../../gateway/configuration.ts";
import { listConnections } from "../../../gateway/inbox/operate.ts";
import { type ConnectionSummary, summarizeConnection } from "../../../gateway/inbox/summary.ts";
import { assertReadable, readGeneration } from "../../live-store.ts";
import { openExistingDirectory } from "../../model-directory.ts";
import { findMissing, findMissingOfShop, type Missing } from "./missing.ts";

/** Output of `--json`. */
export interface ConnectionsReport {
  readonly connections: readonly ConnectionReport[];
  readonly shop: {
    /** The live generation; null when there is none yet. */
    readonly generation: string | null;
    readonly missing: readonly Missing[];
  };
}

export interface ConnectionReport extends Omit<ConnectionSummary, "products" | "hasStock"> {
  readonly name: string;
  /** Null for a directory that the file of connections lacks. */
  readonly platform: ConnectionSettings["platform"] | null;
  readonly missing: readonly Missing[];
}

interface Config {
  readonly connections: string;
  readonly dataDir: string;
}

/**
 * Reads the connections of the file, then those that only the data directory has. Reads no secret.
 * @throws VitrineError `usage` when the file cannot be used, `model_damaged`
 */
export const readReport = async ({ connections, dataDir }: Config): Promise<ConnectionsReport> => {
  const settings = new Map(readConnections(connections).map((each) => [each.name, each.settings]));
  const existing = new Set(listConnections(dataDir));
  const reports: ConnectionReport[] = [];
  for (const name of new Set([...settings.keys(), ...existing])) {
    const summary = existing.has(name) ? await summarizeConnection(dataDir, name) : undefined;
    reports.push(toReport(name, settings.get(name), summary));
  }
  return { connections: reports, shop: await readShopReport(dataDir) };
};

const empty: Omit<ConnectionReport, "name" | "platform" | "missing"> = {
  topics: [],
  events: 0,
  refused: 0,
  leftOut: [],
  waiting: { deliveries: 0, bytes: 0 },
};

const toReport = (
  name: string,
  settings: ConnectionSettings | undefined,
  summary: ConnectionSummary | undefined,
): ConnectionReport => {
  const { topics, events, refused, leftOut, waiting } = summary ?? empty;
  const missing = findMissing(name, settings, summary);
  const platform = settings?.platform ?? null;
  return { name, platform, topics, events, refused, leftOut, waiting, missing };
};

const readShopReport = async (dataDir: string): Promise<ConnectionsReport["shop"]> => {
  const live = openExistingDirectory(dataDir)?.live();
  if (live === undefined) {
    const missing = { what: "there is no read model yet", step: "start vitrine serve" };
    return { generation: null, missing: [missing] };
  }
  await assertReadable(live);
  return { generation: basename(live), missing: await readGeneration(live, findMissingOfShop) };
};
