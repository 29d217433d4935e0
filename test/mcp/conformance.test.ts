import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../src/package-info.ts";
import { tokenFor } from "../helpers/access.ts";
import { open } from "../http/test-app.ts";
import { openTokenProxy } from "./token-proxy.ts";

const test = suite("MCP conformance");

const modules = join(packageRoot, "node_modules");
/** The suite needs Node 22 or later; the service does not. */
const node = join(modules, "node", "bin", "node");
const conformance = join(modules, "@modelcontextprotocol", "conformance", "dist", "index.js");

/** What a server with nothing but tools passes, by revision. */
const passes: Readonly<Record<string, readonly string[]>> = {
  "2025-11-25": ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"],
  "2026-07-28": ["tools-list", "http-header-validation", "dns-rebinding-protection"],
};

interface Wanted {
  readonly revision: string;
  readonly args: readonly string[];
  /** See `openTokenProxy`. */
  readonly session?: string;
}

/** Runs the suite against a service of its own. */
const run = async ({
  revision,
  args,
  session,
}: Wanted): Promise<{ code: number; said: string }> => {
  const proxy = await openTokenProxy(tokenFor("conformance"), session);
  const baseUrl = `http://localhost:${proxy.port}`;
  const world = await open(undefined, { baseUrl });
  try {
    proxy.aim(world.url);
    return await runAgainst(`${baseUrl}/agent/mcp`, ["--spec-version", revision, ...args]);
  } finally {
    await proxy.close();
    await world.close();
  }
};

const runAgainst = async (url: string, args: readonly string[]) => {
  const child = spawn(node, [conformance, "server", "--url", url, ...args]);
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
    const failures = join(packageRoot, "test", "mcp", `expected-failures-${revision}.yml`);
    const args = ["--suite", "all", "--expected-failures", failures];
    const { code, said } = await run({ revision, args });
    assert.is(code, 0, said);
    for (const scenario of scenarios) {
      assert.match(said, new RegExp(`✓ ${scenario}: \\d+ passed, 0 failed`), said);
    }
  });
}

test("the official suite finds no failure in server-sse-multiple-streams, a warning that there are no sessions", async () => {
  const args = ["--scenario", "server-sse-multiple-streams"];
  const { code, said } = await run({ revision: "2025-11-25", args });
  assert.is(code, 0, said);
  assert.match(said, "0 failed, 1 warnings", said);
});

// Its subject is several requests at once, which need no session; but it gives up, with a warning, before the first
// of them when the answer to `initialize` names none.
test("the official suite's server-sse-multiple-streams passes once it is told of a session", async () => {
  const args = ["--scenario", "server-sse-multiple-streams"];
  const { code, said } = await run({ revision: "2025-11-25", args, session: "any" });
  assert.is(code, 0, said);
  assert.match(said, /server-accepts-multiple-post-streams *\].*SUCCESS/, said);
  assert.match(said, "0 failed, 0 warnings", said);
});

test.run();
