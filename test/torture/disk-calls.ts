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
  | { readonly kind: "acknowledged" };

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
): { readonly image: Buffer; readonly acknowledged: number } => {
  const [first] = indexesOf(calls, "acknowledged");
  const cut = (first ?? 0) + chance.below(calls.length - (first ?? 0));
  let image: Buffer = Buffer.alloc(0);
  let pending: WriteCall[] = [];
  const write = (at: number, bytes: Buffer): void => {
    if (image.length < at + bytes.length) {
      image = Buffer.concat([image, Buffer.alloc(at + bytes.length - image.length)]);
    }
    bytes.copy(image, at);
  };
  for (const call of calls.slice(0, cut)) {
    if (call.kind === "acknowledged") continue;
    if (call.kind === "write") pending.push(call);
    const isSync = call.kind === "sync";
    for (const { at, bytes } of pending.filter(({ durable }) => isSync || durable))
      write(at, bytes);
    pending = isSync ? [] : pending.filter(({ durable }) => !durable);
  }
  // All of it, none, or each unit by chance.
  const share = chance.pick([0, 1, 1, 2]);
  const uncertain = [...pending, calls[cut] as DiskCall].filter((call) => call.kind === "write");
  for (const { at, bytes } of uncertain.flatMap((call) => unitsOf(call, unit))) {
    if (chance.below(2) < share) write(at, bytes);
  }
  return { image, acknowledged: indexesOf(calls.slice(0, cut), "acknowledged").length };
};

type WriteCall = Extract<DiskCall, { readonly kind: "write" }>;

/** Splits a write into the parts that a disk writes atomically. */
const unitsOf = (
  { at, bytes }: WriteCall,
  unit: number,
): readonly Pick<WriteCall, "at" | "bytes">[] =>
  Array.from({ length: Math.ceil(bytes.length / unit) }, (_, index) => ({
    at: at + index * unit,
    bytes: bytes.subarray(index * unit, (index + 1) * unit),
  }));

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
  /** Records a write. Calls that close the file follow its last commit. */
  const write = (fd: string, at: number, length: number): void => {
    const bytes = files[commit]?.subarray(at, at + length);
    if (bytes) calls.push({ kind: "write", at, bytes, durable: durable.has(fd) });
  };
  const handlers: Readonly<Record<string, (call: SystemCall) => void>> = {
    openat({ fd, rest }) {
      offsets.set(fd, 0);
      if (/O_D?SYNC/.test(rest)) durable.add(fd);
      else durable.delete(fd);
    },
    lseek: ({ fd, returned }) => offsets.set(fd, returned),
    sync: () => calls.push({ kind: "sync" }),
    pwrite: ({ fd, rest, returned }) => write(fd, Number(rest.split(", ").at(-1)), returned),
    write({ fd, returned }) {
      const at = offsets.get(fd) ?? 0;
      write(fd, at, returned);
      offsets.set(fd, at + returned);
    },
  };
  for (const line of lines) {
    const call = parseCall(line);
    const handle = handlers[sameCalls[call.name] ?? call.name];
    if (call.path !== marks) {
      if (!handle) throw new Error(`a system call with unknown effect on the disk: ${line}`);
      handle(call);
    } else if (call.name === "write") {
      calls.push({ kind: "acknowledged" });
      commit += 1;
    }
  }
  return calls;
};

/** Names of calls with the same effect. */
const sameCalls: Readonly<Record<string, string>> = {
  fdatasync: "sync",
  fsync: "sync",
  pwrite64: "pwrite",
  pwritev: "pwrite",
  writev: "write",
};

interface SystemCall {
  readonly name: string;
  readonly rest: string;
  readonly fd: string;
  readonly path: string;
  /** Number that the call returned. */
  readonly returned: number;
}

/** Parses a line of strace. */
const parseCall = (line: string): SystemCall => {
  const [, name = "", rest = "", returned = ""] =
    /^\d+ +(\w+)\((.*)\) = (\d+(?:<.*>)?)$/.exec(line) ?? [];
  const [, fd = "", path = ""] = /^(\d+)<(.*?)>/.exec(name === "openat" ? returned : rest) ?? [];
  return { name, rest, fd, path, returned: Number.parseInt(returned, 10) };
};
