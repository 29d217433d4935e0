import { readlinkSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { fsyncPath } from "../../platform/durable-fs.ts";

type Link = "live" | "previous";

export const openLinks = (root: string) => {
  const linkReader = (link: Link) => {
    const path = join(root, link);
    let cached: { readonly target: string; readonly generation: string } | undefined;
    return (): string | undefined => {
      try {
        const target = readlinkSync(path);
        // Cached, because readers call this often and joining paths takes longer than reading the link.
        if (target !== cached?.target) cached = { target, generation: generationPath(target) };
        return cached.generation;
      } catch {
        return undefined;
      }
    };
  };
  const generationPath = (target: string): string => join(root, "generations", basename(target));
  return {
    live: linkReader("live"),
    previous: linkReader("previous"),
    /** Points a link to a generation by one rename, durable on return. */
    point(link: Link, generation: string): void {
      const temporary = join(root, `.${link}.new`);
      rmSync(temporary, { force: true });
      symlinkSync(join("generations", basename(generation)), temporary);
      renameSync(temporary, join(root, link));
      fsyncPath(root);
    },
    remove: (link: Link): void => rmSync(join(root, link), { force: true }),
  };
};
