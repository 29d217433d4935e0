import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../src/package-info.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { productUpserted, settingsUpdated } from "../helpers/events.ts";
import { ndjson, run, startVitrine, until } from "../helpers/vitrine.ts";

const test = suite("least rights");

test("stored files can be read and written by their owner only", async () => {
  const dataDir = join(temporaryDirectory().path, "data");
  const input = ndjson([settingsUpdated(), productUpserted()]);
  assert.is((await run(["publish", "-", "--data-dir", dataDir], { input })).code, 0);
  const service = await startVitrine([], { dataDir });
  await service.ready();
  await service.stop();
  const open = readdirSync(service.dataDir, { recursive: true, encoding: "utf8" })
    .map((name) => join(service.dataDir, name))
    .concat(service.dataDir)
    .filter((path) => (statSync(path).mode & 0o077) !== 0);
  assert.equal(open, []);
});

/**
 * Runs in a mount namespace: the program and its data on a small file system, everything else read-only. Root
 * gives up its user and all capabilities; another user has none to give up.
 */
const script = (isRoot: boolean): string => `
set -e
mount --make-rprivate /
mount -t tmpfs tmpfs /mnt
mkdir /mnt/app /mnt/data
for name in dist schema deploy node_modules; do
  mkdir /mnt/app/$name
  mount --bind "$FROM/$name" /mnt/app/$name
done
cp "$FROM/package.json" /mnt/app
touch /mnt/node
mount --bind "$NODE" /mnt/node
${isRoot ? "chown 65534:65534 /mnt/data" : ""}
mount -o remount,bind,ro /
while read -r _ place _; do
  case "$place" in
    / | /mnt | /mnt/* | /proc | /proc/* | /sys | /sys/* | /dev | /dev/pts) ;;
    *) mount -o remount,bind,ro "$place" ;;
  esac
done < /proc/mounts
cd /mnt/app
for place in / /tmp /var/tmp /run /dev/shm "$FROM"; do
  if touch "$place/written" 2>/dev/null; then echo "$place can be written" >&2; exit 9; fi
done
exec ${isRoot ? "setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all" : ""} /mnt/node dist/src/main.js serve --demo --port 0 --ops-port 0 --data-dir /mnt/data/vitrine`;

test("serve runs as a user without rights on a read-only root", async () => {
  const isRoot = process.getuid?.() === 0;
  const inside = isRoot ? ["--mount"] : ["--user", "--map-root-user", "--mount"];
  const child = spawn("unshare", [...inside, "sh", "-c", script(isRoot)], {
    env: { PATH: process.env.PATH, FROM: packageRoot, NODE: process.execPath },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (text) => {
      output += text;
    });
  }
  const ended = once(child, "close");
  const found = await until(
    async () => /answers on (\S+)[\s\S]*Ops +(http:\/\/[^/\s]+)/.exec(output) ?? output,
    (answer) => typeof answer !== "string" || child.exitCode !== null,
    120,
  ).catch((error) => {
    child.kill("SIGKILL");
    throw error;
  });
  assert.is.not(typeof found, "string", output);
  const [, url = "", ops = ""] = found as RegExpExecArray;
  await until(
    async () => (await fetch(`${ops}/readyz`)).status,
    (status) => status === 200,
    60,
  );
  const answer = await fetch(`${url}/llms.txt`);
  assert.is(answer.status, 200);
  assert.match(await answer.text(), /^# /);
  child.kill("SIGTERM");
  const [code] = await ended;
  assert.is(code, 0, output);
});

test.run();
