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
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openEnvironment } from "../../src/lmdb/environment.ts";
import { temporaryDirectory } from "../helpers/directory.ts";

const test = suite("lmdb");
const program = fileURLToPath(new URL("../helpers/open-and-close.ts", import.meta.url));

/** What a process said that opened and closed an environment so many times. */
const openAndClose = async (path: string, how: "reads" | "writes" | "commits", times: number) => {
  const child = spawn(process.execPath, [...process.execArgv, program, path, how, `${times}`], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (text) => {
    stderr += text;
  });
  const [code] = await once(child, "close");
  return code === 0 ? "" : stderr;
};

for (const [what, work] of [
  [
    "an environment can be opened, read and written while others close it for the last time",
    [
      ["writes", 1_500],
      ["reads", 1_500],
      ["reads", 1_500],
    ],
  ],
  [
    "a commit is not undone by whoever opens the environment at that moment",
    [
      ["commits", 60_000],
      ["reads", 1_500],
    ],
  ],
] as const) {
  test(what, async () => {
    const home = temporaryDirectory();
    await openEnvironment({ path: home.path, readOnly: false }).close();
    const said = await Promise.all(work.map(([how, times]) => openAndClose(home.path, how, times)));
    assert.equal(
      said,
      work.map(() => ""),
    );
    home.remove();
  });
}

test("an environment that was copied without its gate, or whose gate is damaged, is opened", async () => {
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

/** What this process has open of a file. */
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
  test(`one that is open for ${readOnly ? "reading" : "writing"} holds its file once more than LMDB does, and leaves none open`, async () => {
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

test("to close one a second time closes nothing else that was opened meanwhile", async () => {
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

test("what cannot be opened is refused", async () => {
  const home = temporaryDirectory();
  assert.throws(
    () => openEnvironment({ path: `${home.path}/nothing`, readOnly: true }),
    /No such file/,
  );
  home.remove();
});

test.run();
