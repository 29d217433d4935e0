import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openEnvironment } from "../src/lmdb.ts";
import { temporaryDirectory } from "./helpers/directory.ts";

const test = suite("lmdb");
const program = fileURLToPath(new URL("./helpers/open-and-close.ts", import.meta.url));

/** What a process said that opened and closed an environment so many times. */
const openAndClose = async (path: string, how: "reads" | "writes", times: number) => {
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

test("an environment can be opened, read and written while others close it for the last time", async () => {
  const home = temporaryDirectory();
  const env = openEnvironment({ path: home.path, readOnly: false });
  await env.close();
  const said = await Promise.all([
    openAndClose(home.path, "writes", 1_500),
    openAndClose(home.path, "reads", 1_500),
    openAndClose(home.path, "reads", 1_500),
  ]);
  assert.equal(said, ["", "", ""]);
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
