/** A file system so small that it can be filled: a full disk as processes meet it, and not one error of one call. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryDirectory } from "./directory.ts";

const marker = "VITRINE_OWN_MOUNTS";

/**
 * Has the file of a test go on in a process with mounts of its own: they go when its processes have ended, however that
 * comes. Root needs nothing else for it, any other user a user namespace, in which he is root. Where neither is allowed
 * the test has failed, with what `unshare` or `mount` say of it. The process that asks ends as that one does.
 * @param test the file, `import.meta.url`
 */
export const inOwnMounts = async (test: string): Promise<void> => {
  if (process.env[marker]) {
    process.once("disconnect", () => process.exit(1));
    process.channel?.unref();
    return;
  }
  const rights = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"];
  const program = [process.execPath, ...process.execArgv, fileURLToPath(test)];
  const child = spawn("unshare", [...rights, "--mount", ...program], {
    env: { ...process.env, [marker]: "1" },
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  child.on("message", (message) => void process.send?.(message));
  process.on("exit", () => void child.kill("SIGKILL"));
  const [code] = await once(child, "exit");
  process.exit(code ?? 1);
};

export interface SmallDisk {
  readonly path: string;
  /** Takes all room there is. @param pages of 4,096 bytes that stay free */
  fill(pages?: number): void;
  /** Gives back what was taken. */
  makeRoom(): void;
  remove(): void;
}

export const page = 4_096;

/**
 * Only after `inOwnMounts`.
 * @param megabytes its size
 * @param files how many there may be, directories among them
 */
export const smallDisk = (megabytes: number, files = 100_000): SmallDisk => {
  const { path, remove } = temporaryDirectory();
  execFileSync("mount", [
    "-t",
    "tmpfs",
    "-o",
    `size=${megabytes}m,nr_inodes=${files}`,
    "tmpfs",
    path,
  ]);
  const unmount = () => execFileSync("umount", ["--lazy", path]);
  // Before the directory goes, which it could not.
  process.prependListener("exit", unmount);
  const ballast = join(path, "ballast");
  return {
    path,
    fill(pages = 0) {
      takeAll(ballast);
      truncateSync(ballast, Math.max(0, statSync(ballast).size - pages * page));
    },
    makeRoom: () => rmSync(ballast, { force: true }),
    remove() {
      process.off("exit", unmount);
      unmount();
      remove();
    },
  };
};

/** Writes to the end of a file until there is no room for another byte. */
const takeAll = (path: string): void => {
  const file = openSync(path, "a");
  try {
    for (const bytes of [Buffer.alloc(64 * page), Buffer.alloc(page)]) writeAll(file, bytes);
  } finally {
    closeSync(file);
  }
  const { bfree } = statfsSync(path);
  if (bfree > 0) throw new Error(`${bfree} blocks are free yet`);
};

const writeAll = (file: number, bytes: Buffer): void => {
  try {
    for (;;) writeSync(file, bytes);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  }
};
