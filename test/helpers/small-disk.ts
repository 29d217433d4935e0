/** Small file systems that a test can fill completely, so that processes meet a really full disk. */
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
 * Runs the test file again in a process with a mount namespace of its own; the kernel removes the mounts when
 * its processes exit. Root needs nothing else; another user gets a user namespace in which it is root. Where
 * neither is allowed the test fails with the message of `unshare` or `mount`. The calling process exits with
 * the exit code of the new one.
 * @param test the file, `import.meta.url`
 * @param more options of `unshare` for further namespaces
 */
export const inOwnMounts = async (test: string, more: readonly string[] = []): Promise<void> => {
  if (process.env[marker]) {
    process.once("disconnect", () => process.exit(1));
    process.channel?.unref();
    return;
  }
  const rights = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"];
  const program = [process.execPath, ...process.execArgv, fileURLToPath(test)];
  const child = spawn("unshare", [...rights, "--mount", ...more, ...program], {
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
  /** Fills the disk. @param pages number of pages of 4,096 bytes that stay free */
  fill(pages?: number): void;
  /** Removes the file that fills the disk. */
  makeRoom(): void;
  remove(): void;
}

export const page = 4_096;

/**
 * Mounts a small tmpfs. Call it only after `inOwnMounts`.
 * @param megabytes its size
 * @param files maximum number of files and directories
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
  // Runs before the directory is removed, because a mount point cannot be removed.
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

/** Appends to a file until not one more byte fits. */
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
