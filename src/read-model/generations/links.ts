import { readlinkSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { syncPath } from "../../platform/durable-fs.ts";

/** The links of a data directory: what answers, and what answered before. */
export interface GenerationLinks {
  live(): string | undefined;
  previous(): string | undefined;
  /** Points a link at a generation, durably and by one rename. */
  point(link: "live" | "previous", generation: string): void;
  remove(link: "live" | "previous"): void;
}

export const linksIn = (root: string): GenerationLinks => {
  const linked = (link: "live" | "previous") => {
    const path = join(root, link);
    let known: { readonly target: string; readonly generation: string } | undefined;
    return (): string | undefined => {
      try {
        const target = readlinkSync(path);
        // Asked again and again: joining paths takes longer than reading the link.
        if (target !== known?.target) known = { target, generation: generationAt(target) };
        return known.generation;
      } catch {
        return undefined;
      }
    };
  };
  const generationAt = (target: string): string => join(root, "generations", basename(target));
  return {
    live: linked("live"),
    previous: linked("previous"),
    point(link, generation) {
      const fresh = join(root, `.${link}.new`);
      rmSync(fresh, { force: true });
      symlinkSync(join("generations", basename(generation)), fresh);
      renameSync(fresh, join(root, link));
      syncPath(root);
    },
    remove: (link) => rmSync(join(root, link), { force: true }),
  };
};
