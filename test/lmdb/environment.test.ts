import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openEnvironment } from "../../src/lmdb/environment.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { effort } from "../helpers/effort.ts";
import { testProgram } from "../helpers/test-program.ts";

const test = suite("lmdb");
const program = testProgram("test/helpers/open-and-close");

/** Runs a process that opens and closes an environment this many times; returns its error output. */
const openAndClose = async (path: string, how: "reads" | "writes" | "commits", times: number) => {
  const child = spawn(process.execPath, [...program, path, how, `${times}`], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (text) => {
    stderr += text;
  });
  const [code] = await once(child, "close");
  return code === 0 ? "" : stderr;
};

const [opens, commits] = [effort(500, 1_500), effort(20_000, 60_000)];

for (const [what, work] of [
  [
    "an environment can be opened, read and written while other processes close it last",
    [
      ["writes", opens],
      ["reads", opens],
      ["reads", opens],
    ],
  ],
  [
    "a process that opens the environment during a commit does not undo it",
    [
      ["commits", commits],
      ["reads", opens],
    ],
  ],
] as const) {
  test(what, async () => {
    const home = temporaryDirectory();
    await openEnvironment({ path: home.path, readOnly: false }).close();
    const failures = await Promise.all(
      work.map(([how, times]) => openAndClose(home.path, how, times)),
    );
    assert.equal(
      failures,
      work.map(() => ""),
    );
    home.remove();
  });
}

test("an environment without its gate, or with a damaged gate, can be opened", async () => {
  const home = temporaryDirectory();
  const gate = join(home.path, "gate");
  const open = (readOnly: boolean) =>
    openEnvironment<Buffer, string>({ path: home.path, readOnly, encoding: "binary" });
  for (const spoil of [
    () => rmSync(gate, { recursive: true }),
    () => truncateSync(join(gate, "data.mdb"), 100),
    () => writeFileSync(join(gate, "data.mdb"), Buffer.alloc(8_192)),
    () => writeFileSync(join(gate, "lock.mdb"), Buffer.alloc(8_192, 0xff)),
  ]) {
    await open(false).close();
    spoil();
    await open(true).close();
    const env = open(false);
    env.write(() => env.root.putSync("it", Buffer.from("works")));
    assert.is(`${env.root.get("it")}`, "works");
    await env.close();
  }
  home.remove();
});

/** Lists the descriptors that this process has open for a file. */
const openOf = (path: string): readonly string[] =>
  readdirSync("/proc/self/fd")
    .map((name) => linkOf(`/proc/self/fd/${name}`))
    .filter((file) => file.startsWith(path));

const linkOf = (path: string): string => {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
};

for (const readOnly of [true, false]) {
  test(`an environment opened for ${readOnly ? "reading" : "writing"} holds one extra descriptor, and closes all`, async () => {
    const home = temporaryDirectory();
    await openEnvironment({ path: home.path, readOnly: false }).close();
    const data = join(home.path, "data.mdb");
    const env = openEnvironment({ path: home.path, readOnly });
    assert.ok(openOf(data).length > 1);
    home.remove();
    await env.close();
    assert.equal(openOf(data), []);
  });
}

test("closing an environment twice closes no other file", async () => {
  const home = temporaryDirectory();
  const env = openEnvironment({ path: home.path, readOnly: false });
  await env.close();
  const others = Array.from({ length: 20 }, () => openSync(home.path, "r"));
  await env.close();
  for (const other of others) {
    assert.ok(fstatSync(other).isDirectory());
    closeSync(other);
  }
  home.remove();
});

test("an environment that does not exist is an error", async () => {
  const home = temporaryDirectory();
  assert.throws(
    () => openEnvironment({ path: `${home.path}/nothing`, readOnly: true }),
    /No such file/,
  );
  home.remove();
});

test.run();
