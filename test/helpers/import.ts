import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CloudEvent } from "../../src/events/envelope.ts";
import { temporaryDirectory } from "./directory.ts";
import { readEvents } from "./gateway.ts";
import { run } from "./vitrine.ts";

/** A file of connections, and a data directory for imports in them. */
export interface TestImport {
  readonly dataDir: string;
  readonly connectionsFile: string;
  /** Writes a file. @returns its path */
  write(name: string, content: string): string;
  /** Runs `vitrine import` with these arguments. */
  import(args: readonly string[], input?: string): Promise<ImportAnswer>;
  /** Reads the events of the log. */
  events(): Promise<readonly CloudEvent[]>;
}

export interface ImportAnswer {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Parsed output of `--json`. */
  readonly json: Readonly<Record<string, unknown>>;
}

const secret = { env: "SHOP_SECRET" };
const shop = { url: "https://shop.example", currency: "EUR" };

export const testConnections = {
  shopify: { platform: "shopify", ...shop, secret },
  woo: { platform: "woocommerce", ...shop, secret },
  feed: { platform: "files", ...shop, columns: { Griff: "handle" } },
};

export const openImportTest = (): TestImport => {
  const { path } = temporaryDirectory();
  const dataDir = join(path, "data");
  const connectionsFile = join(path, "connections.json");
  writeFileSync(connectionsFile, JSON.stringify({ connections: testConnections }));
  mkdirSync(dataDir);
  return {
    dataDir,
    connectionsFile,
    write(name, content) {
      writeFileSync(join(path, name), content);
      return join(path, name);
    },
    async import(args, input) {
      const settings = ["--connections", connectionsFile, "--data-dir", dataDir];
      const answer = await run(["import", ...args, ...settings], {
        ...(input !== undefined && { input }),
      });
      const json = args.includes("--json") && answer.stdout ? JSON.parse(answer.stdout) : {};
      return { ...answer, json };
    },
    events: () => readEvents(dataDir),
  };
};
