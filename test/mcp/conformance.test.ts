import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../src/root.ts";
import { tokenFor } from "../helpers/access.ts";
import { open } from "../http/world.ts";
import { openTokenProxy } from "./token-proxy.ts";

const test = suite("MCP conformance");

const modules = join(packageRoot, "node_modules");
/** The suite needs Node 22 or later; the service does not. */
const node = join(modules, "node", "bin", "node");
const conformance = join(modules, "@modelcontextprotocol", "conformance", "dist", "index.js");

/** What a server with nothing but tools passes, by revision. */
const passes: Readonly<Record<string, readonly string[]>> = {
  "2025-11-25": [
    "server-initialize",
    "ping",
    "tools-list",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
  ],
  "2026-07-28": ["tools-list", "http-header-validation", "dns-rebinding-protection"],
};

const run = async (url: string, revision: string): Promise<{ code: number; said: string }> => {
  const failures = join(packageRoot, "test", "mcp", `expected-failures-${revision}.yml`);
  const args = ["server", "--url", url, "--suite", "all", "--spec-version", revision];
  const child = spawn(node, [conformance, ...args, "--expected-failures", failures]);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (text) => {
      said += text;
    });
  }
  const [code] = await once(child, "close");
  return { code, said };
};

for (const [revision, scenarios] of Object.entries(passes)) {
  test(`the official suite passes at ${revision}, but for what only other servers have`, async () => {
    const proxy = await openTokenProxy(tokenFor("conformance"));
    const world = await open(undefined, { baseUrl: `http://localhost:${proxy.port}` });
    try {
      proxy.aim(world.url);
      const { code, said } = await run(`http://localhost:${proxy.port}/agent/mcp`, revision);
      assert.is(code, 0, said);
      for (const scenario of scenarios) {
        assert.match(said, new RegExp(`✓ ${scenario}: \\d+ passed, 0 failed`), said);
      }
    } finally {
      await proxy.close();
      await world.close();
    }
  });
}

test.run();
