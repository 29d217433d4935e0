import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { VitrineError } from "../../src/errors.ts";
import { lockDirectory } from "../../src/projector/lock.ts";
import { temporaryDirectory } from "../helpers/directory.ts";

const test = suite("lock");
const holder = `
  import { lockDirectory } from ${JSON.stringify(fileURLToPath(new URL("../../src/projector/lock.ts", import.meta.url)))};
  await lockDirectory(process.argv[1], () => {});
  process.stdout.write("held");
  setInterval(() => {}, 1000);
`;

/** Another process that holds the lock until it is killed. */
const holdElsewhere = async (directory: string) => {
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "--input-type=module", "-e", holder, directory],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  await once(child.stdout, "data");
  return {
    pid: child.pid,
    async kill() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
};

test("a second writer is refused and told who holds the directory", async () => {
  const directory = temporaryDirectory();
  const other = await holdElsewhere(directory.path);
  const error = await lockDirectory(directory.path, () => undefined).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.instance(error, VitrineError);
  assert.is((error as VitrineError).code, "data_dir");
  assert.match(
    (error as VitrineError).message,
    `another projector (process ${other.pid}) already writes`,
  );
  await other.kill();
  directory.remove();
});

test("the lock of a process that was killed is taken over at once", async () => {
  const directory = temporaryDirectory();
  const other = await holdElsewhere(directory.path);
  await other.kill();
  const release = await lockDirectory(directory.path, () => undefined);
  await release();
  directory.remove();
});

test("a lock that was given back can be taken again", async () => {
  const directory = temporaryDirectory();
  for (let turn = 0; turn < 2; turn += 1) {
    const release = await lockDirectory(directory.path, () => undefined);
    await release();
  }
  directory.remove();
});

test.run();
