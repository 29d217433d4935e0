import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../src/package-info.ts";
import { startDaemon } from "../../helpers/daemon.ts";
import { installOnDebian, isExecutable } from "../../helpers/debian.ts";
import { temporaryDirectory } from "../../helpers/directory.ts";
import { findFreePort } from "../../helpers/free-port.ts";
import { program, until } from "../../helpers/vitrine.ts";

const test = suite("deploy/systemd");

/** Largest exposure that systemd-analyze may find, of 10. */
const maxExposure = 1.3;

const services = ["vitrine.service", "vitrine-gateway.service"];
const names = [...services, "vitrine.socket"];
const directory = temporaryDirectory().path;

test.before(() => {
  if (!isExecutable("/usr/bin/systemd-analyze")) installOnDebian("systemd");
  for (const name of names)
    copyFileSync(join(packageRoot, "deploy", "systemd", name), join(directory, name));
});

test("systemd-analyze verify has no remark about the units", () => {
  const paths = names.map((name) => join(directory, name));
  const { status, stdout, stderr } = spawnSync("systemd-analyze", ["verify", ...paths], {
    encoding: "utf8",
  });
  assert.is(stdout + stderr, "");
  assert.is(status, 0);
});

for (const name of services) {
  test(`systemd-analyze security finds an exposure of at most ${maxExposure} of ${name}`, () => {
    const args = ["security", "--offline=true", "--no-pager", join(directory, name)];
    const report = execFileSync("systemd-analyze", args, { encoding: "utf8" });
    const exposure = Number(/exposure level for \S+: ([\d.]+)/.exec(report)?.[1]);
    assert.ok(exposure <= maxExposure, report);
  });
}

test("the service answers on a socket that systemd-socket-activate passes, with several HTTP processes", async () => {
  const [port, opsPort] = [await findFreePort(), await findFreePort()];
  const settings = { LOG_LEVEL: "warn", OPS_PORT: String(opsPort), PATH: String(process.env.PATH) };
  const variables = Object.entries(settings).flatMap((pair) => ["-E", pair.join("=")]);
  const serve = ["serve", "--demo", "--workers", "2", "--data-dir", join(directory, "data")];
  // Its connection starts the service.
  const daemon = await startDaemon(
    "systemd-socket-activate",
    ["-l", `127.0.0.1:${port}`, ...variables, process.execPath, ...program, ...serve],
    port,
  );
  const url = `http://127.0.0.1:${port}/llms.txt`;
  const answer = await until(
    () => fetch(url),
    ({ status }) => status === 200,
  );
  assert.match(await answer.text(), "Demo");
  await until(
    async () => daemon.output(),
    (output) => output.includes("answers on the socket that systemd passed"),
  );
  // Another process answers when one dies, and the one that replaces it listens on the same socket.
  const [worker] = execFileSync("pgrep", ["-P", String(daemon.pid), "-f", "http-1"], {
    encoding: "utf8",
  }).split("\n");
  process.kill(Number(worker), "SIGKILL");
  // The killed process may have accepted a connection.
  await until(
    () => fetch(url),
    ({ status }) => status === 200,
  );
  for (let at = 0; at < 20; at += 1)
    assert.is((await fetch(url, { headers: { connection: "close" } })).status, 200);
  await until(
    async () =>
      execFileSync("pgrep", ["-P", String(daemon.pid), "-f", "http-1"], { encoding: "utf8" }),
    (found) => found.trim() !== worker && found.trim() !== "",
  );
  await daemon.stop();
  assert.not.match(daemon.output(), '"level":[56]0');
});

test.run();
