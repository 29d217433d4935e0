/** mcporter, as a command: `mcporter list` and `mcporter call`. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Connect, testToolsClient } from "./scenario.ts";

const program = fileURLToPath(import.meta.resolve("mcporter/cli"));

const connect: Connect = async (url, headers) => {
  const directory = mkdtempSync(join(tmpdir(), "mcporter-"));
  const config = join(directory, "mcporter.json");
  writeFileSync(config, JSON.stringify({ mcpServers: { shop: { baseUrl: url, headers } } }));
  const run = (...args: readonly string[]): Promise<string> => {
    const command = [program, "--config", config, ...args];
    return new Promise((resolve) =>
      execFile(process.execPath, command, (_, stdout, stderr) => resolve(stdout + stderr)),
    );
  };
  return {
    async listTools() {
      const { tools, ...rest } = JSON.parse(await run("list", "shop", "--json", "--no-oauth"));
      if (!Array.isArray(tools)) throw new Error(JSON.stringify(rest));
      return tools.map(({ name }: { readonly name: string }) => name);
    },
    call: (name, args) => run("call", `shop.${name}`, "--no-oauth", "--args", JSON.stringify(args)),
    async close() {
      rmSync(directory, { recursive: true });
    },
  };
};

testToolsClient("mcporter", connect, {
  // After a 401 it tries the older SSE transport, and shows that refusal.
  unauthorized: /"error":"http 405"/,
  rateLimited: /429/,
});
