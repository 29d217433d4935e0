import { spawnSync } from "node:child_process";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../src/package-info.ts";

const test = suite("servers of tests");

/** Runs a test file that fails with an open server and an open connection. */
const runFailing = (open: string) =>
  spawnSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program(open)], {
    cwd: packageRoot,
    encoding: "utf8",
    timeout: 60_000,
  });

const program = (open: string): string => `
  import { suite } from "uvu";
  const test = suite("fails");
  test("fails", async () => {
    ${open}
    await (await fetch(server.url)).text();
    throw new Error("an assertion");
  });
  test.run();`;

const openings: Readonly<Record<string, string>> = {
  openTestServer: `const { openTestServer } = await import("./test/helpers/test-server.ts");
    const server = await openTestServer();`,
  open: `const { open } = await import("./test/http/test-app.ts");
    const server = await open();`,
  serveHandler: `const { serveHandler } = await import("./test/http/serve-handler.ts");
    const server = await serveHandler(() => ({ status: 200, headers: [], body: "" }));`,
};

for (const [name, opening] of Object.entries(openings)) {
  test(`a failed test that leaves the server of ${name} open ends with code 1`, () => {
    const { status, stdout, stderr } = runFailing(opening);
    assert.is(status, 1, stdout + stderr);
    assert.match(stdout, "an assertion");
  });
}

test.run();
