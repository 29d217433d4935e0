import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename } from "node:path";

/** Records the calls of fsync, rename and rm during `work`, in order, with the last segment of each path. */
export const changesOf = (work: () => void): readonly string[] => {
  const { changes, end } = noteChanges();
  try {
    work();
    return changes;
  } finally {
    end();
  }
};

/** Like `changesOf`, for asynchronous work. */
export const changesDuring = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
  const { changes, end } = noteChanges();
  try {
    await work();
    return changes;
  } finally {
    end();
  }
};

const noteChanges = () => {
  const { openSync, fsyncSync, renameSync, rmSync } = fs;
  const real = { openSync, fsyncSync, renameSync, rmSync };
  const paths = new Map<number, string>();
  const changes: string[] = [];
  Object.assign(fs, {
    openSync(path: string, ...more: [string]) {
      const handle = real.openSync(path, ...more);
      paths.set(handle, path);
      return handle;
    },
    fsyncSync(handle: number) {
      real.fsyncSync(handle);
      changes.push(`sync ${basename(paths.get(handle) ?? "")}`);
    },
    renameSync(from: string, to: string) {
      real.renameSync(from, to);
      changes.push(`rename ${basename(to)}`);
    },
    rmSync(path: string, options: fs.RmOptions) {
      const isThere = fs.lstatSync(path, { throwIfNoEntry: false }) !== undefined;
      real.rmSync(path, options);
      if (isThere) changes.push(`remove ${basename(path)}`);
    },
  });
  syncBuiltinESMExports();
  const end = (): void => {
    Object.assign(fs, real);
    syncBuiltinESMExports();
  };
  return { changes, end };
};
