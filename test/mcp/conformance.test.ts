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

/** The scenarios that a server with tools only passes, by revision. */
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

/** Runs the suite against a new server. */
const run = async ({
  revision,
  args,
  session,
}: Wanted): Promise<{ code: number; output: string }> => {
  const proxy = await openTokenProxy(tokenFor("conformance"), session);
  const baseUrl = `http://localhost:${proxy.port}`;
  const service = await open(undefined, { baseUrl });
  try {
    proxy.aim(service.url);
    return await runAgainst(`${baseUrl}/agent/mcp`, ["--spec-version", revision, ...args]);
  } finally {
    await proxy.close();
    await service.close();
  }
};

const runAgainst = async (url: string, args: readonly string[]) => {
  const child = spawn(node, [conformance, "server", "--url", url, ...args]);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (text) => {
      output += text;
    });
  }
  const [code] = await once(child, "close");
  return { code, output };
};

for (const [revision, scenarios] of Object.entries(passes)) {
  test(`the official suite passes at ${revision}, except for features that this server does not have`, async () => {
    const failures = join(packageRoot, "test", "mcp", `expected-failures-${revision}.yml`);
    const args = ["--suite", "all", "--expected-failures", failures];
    const { code, output } = await run({ revision, args });
    assert.is(code, 0, output);
    for (const scenario of scenarios) {
      assert.match(output, new RegExp(`✓ ${scenario}: \\d+ passed, 0 failed`), output);
    }
  });
}

test("the official suite only warns in server-sse-multiple-streams that there are no sessions", async () => {
  const args = ["--scenario", "server-sse-multiple-streams"];
  const { code, output } = await run({ revision: "2025-11-25", args });
  assert.is(code, 0, output);
  assert.match(output, "0 failed, 1 warnings", output);
});

// The scenario tests concurrent requests, which need no session; but it gives up with a warning before the
// first one when the answer to `initialize` names none.
test("the official suite's server-sse-multiple-streams passes with a session id", async () => {
  const args = ["--scenario", "server-sse-multiple-streams"];
  const { code, output } = await run({ revision: "2025-11-25", args, session: "any" });
  assert.is(code, 0, output);
  assert.match(output, /server-accepts-multiple-post-streams *\].*SUCCESS/, output);
  assert.match(output, "0 failed, 0 warnings", output);
});

test.run();
