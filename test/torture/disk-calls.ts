/** Disk calls of a process, and the possible states of a file after a power cut. */
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Chance } from "../bench/seeded.ts";
import { watch } from "../helpers/strace.ts";

/** A call on one file. */
type DiskCall =
  /** Written bytes; durable on return when the file was opened so, else after the next `sync`. */
  | {
      readonly kind: "write";
      readonly at: number;
      readonly bytes: Buffer;
      readonly durable: boolean;
    }
  | { readonly kind: "sync" }
  /** Everything written so far was reported as durable. */
  | { readonly kind: "told" };

/** All calls on one file. */
export interface DiskLife {
  readonly calls: readonly DiskCall[];
}

const watched = [
  ...["openat", "lseek", "write", "writev", "pwrite64", "pwritev", "pwritev2"],
  ...["fdatasync", "fsync", "msync", "sync_file_range", "ftruncate", "fallocate"],
];

/**
 * Traces this process while it commits to `data.mdb` of an existing directory.
 * @param commits each resolves when it takes its commit for durable; the first one creates the file
 */
export const liveWatched = async (
  directory: string,
  commits: Iterable<() => unknown>,
): Promise<DiskLife> => {
  const [path, marks] = [join(directory, "data.mdb"), join(directory, "..", "marks")];
  const mark = openSync(marks, "w");
  const stop = await watch(process.pid, [path, marks], watched, `${marks}.trace`);
  const files: Buffer[] = [];
  for (const commit of commits) {
    await commit();
    writeSync(mark, "x");
    files.push(readFileSync(path));
  }
  const lines = await stop();
  closeSync(mark);
  return { calls: parse(lines, files, marks) };
};

/**
 * A possible state of the file after a power cut during or after a call: synced bytes are there, and any part
 * of the rest.
 * @param unit number of bytes that a disk writes atomically
 */
export const imageOf = (
  { calls }: DiskLife,
  unit: number,
  chance: Chance,
): { readonly image: Buffer; readonly told: number } => {
  const [first] = indexesOf(calls, "told");
  const cut = (first ?? 0) + chance.below(calls.length - (first ?? 0));
  let image: Buffer = Buffer.alloc(0);
  let pending: DiskCall[] = [];
  const write = (at: number, bytes: Buffer): void => {
    if (image.length < at + bytes.length) {
      image = Buffer.concat([image, Buffer.alloc(at + bytes.length - image.length)]);
    }
    bytes.copy(image, at);
  };
  const reach = (call: DiskCall): void => {
    if (call.kind === "write") write(call.at, call.bytes);
  };
  for (const call of calls.slice(0, cut)) {
    if (call.kind === "write" && call.durable) reach(call);
    else if (call.kind === "write") pending.push(call);
    else if (call.kind === "sync") {
      for (const each of pending) reach(each);
      pending = [];
    }
  }
  // All of it, none, or each unit by chance.
  const share = chance.pick([0, 1, 1, 2]);
  for (const call of [...pending, calls[cut] as DiskCall]) {
    if (call.kind !== "write") continue;
    for (let at = 0; at < call.bytes.length; at += unit) {
      if (chance.below(2) < share) write(call.at + at, call.bytes.subarray(at, at + unit));
    }
  }
  return { image, told: indexesOf(calls.slice(0, cut), "told").length };
};

const indexesOf = (calls: readonly DiskCall[], kind: DiskCall["kind"]): readonly number[] =>
  calls.flatMap((call, at) => (call.kind === kind ? [at] : []));

/**
 * @param files the file after each commit: a page is written once per commit, so its bytes are those
 * @throws when a call has no known meaning for the disk
 */
const parse = (
  lines: readonly string[],
  files: readonly Buffer[],
  marks: string,
): readonly DiskCall[] => {
  const calls: DiskCall[] = [];
  const durable = new Set<string>();
  const offsets = new Map<string, number>();
  let commit = 0;
  for (const line of lines) {
    const [, name = "", rest = "", returned = ""] =
      /^\d+ +(\w+)\((.*)\) = (\d+(?:<.*>)?)$/.exec(line) ?? [];
    const [, fd = "", path = ""] = /^(\d+)<(.*?)>/.exec(name === "openat" ? returned : rest) ?? [];
    const length = Number.parseInt(returned, 10);
    const last = Number(rest.split(", ").at(-1));
    const write = (at: number): void => {
      const bytes = files[commit]?.subarray(at, at + length) ?? Buffer.alloc(0);
      // Calls that close the file follow its last commit.
      if (commit < files.length) {
        calls.push({ kind: "write", at, bytes, durable: durable.has(fd) });
      }
    };
    if (path === marks) {
      if (name === "write") {
        calls.push({ kind: "told" });
        commit += 1;
      }
    } else if (name === "openat") {
      offsets.set(fd, 0);
      if (/O_D?SYNC/.test(rest)) durable.add(fd);
      else durable.delete(fd);
    } else if (name === "lseek") offsets.set(fd, length);
    else if (name === "fdatasync" || name === "fsync") calls.push({ kind: "sync" });
    else if (name === "pwrite64" || name === "pwritev") write(last);
    else if (name === "write" || name === "writev") {
      write(offsets.get(fd) ?? 0);
      offsets.set(fd, (offsets.get(fd) ?? 0) + length);
    } else throw new Error(`a call that the disk was not thought to see: ${line}`);
  }
  return calls;
};
