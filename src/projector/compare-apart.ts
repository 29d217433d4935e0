import { type ChildProcess, fork } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { VitrineError } from "../errors.ts";
import type { Checkpoint } from "../read-model/checkpoint.ts";
import type { Comparison } from "../read-model/compare.ts";

/** What is known of the generation another one is compared with. */
export interface Former {
  readonly checkpoint: Checkpoint | undefined;
  /** Visible products. */
  readonly products: number;
}

export type Asked =
  | { readonly ask: "look" }
  | { readonly ask: "pin" }
  | { readonly ask: "compare"; readonly built: string };

export type Replied =
  | { readonly ready: true }
  | { readonly former: Former }
  | { readonly comparison: Comparison }
  | { readonly failed: string };

/** A generation as another process reads it: what is damaged in its file may end that process, not this one. */
export interface Apart {
  /** Tells of the newest moment. */
  look(): Promise<Former>;
  /** As `look`, and holds that moment until it is compared: the file of a live generation grows meanwhile. */
  pin(): Promise<Former>;
  /** Compares the moment that is held with a generation that nobody writes to meanwhile. @param built its path */
  compare(built: string): Promise<Comparison>;
  close(): void;
}

/**
 * Opens a generation in a process of its own.
 * @param place an existing directory for what that process writes down
 * @throws (as do the calls of what it returns) `damaged`: which table, and where
 */
export const openApart = async (
  generation: string,
  place: string,
  signal: AbortSignal,
): Promise<Apart> => {
  const position = join(place, "position");
  const child = fork(program, [generation, position], { serialization: "advanced" });
  const kill = (): void => void child.kill("SIGKILL");
  signal.addEventListener("abort", kill, { once: true });
  const damaged = (how: string): VitrineError =>
    new VitrineError(
      "damaged",
      `generation ${basename(generation)} is damaged: ${how}${placeOf(position)}`,
      "vitrine rebuild makes a new one from the log",
    );
  const hear = () => reply(child, signal, damaged);
  const ask = (asked: Asked): ReturnType<typeof hear> => {
    const heard = hear();
    child.send(asked, () => undefined);
    return heard;
  };
  const close = (): void => {
    signal.removeEventListener("abort", kill);
    if (child.connected) child.disconnect();
    rmSync(position, { force: true });
  };
  try {
    await hear();
  } catch (error) {
    close();
    throw error;
  }
  const look = async (asked: Asked): Promise<Former> => {
    const told = await ask(asked);
    if ("former" in told) return told.former;
    throw damaged("it did not tell its checkpoint");
  };
  return {
    look: () => look({ ask: "look" }),
    pin: () => look({ ask: "pin" }),
    async compare(built) {
      const told = await ask({ ask: "compare", built });
      if ("comparison" in told) return told.comparison;
      throw damaged("it could not be compared");
    },
    close,
  };
};

const program = fileURLToPath(
  new URL(`./compare-process${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url),
);

/** The next thing the process says; rejects when it says that it failed, or ends first. */
const reply = (
  child: ChildProcess,
  signal: AbortSignal,
  damaged: (how: string) => VitrineError,
): Promise<Replied> =>
  new Promise((resolve, reject) => {
    const settle = (end: () => void): void => {
      child.off("message", hear);
      child.off("exit", lose);
      end();
    };
    const hear = (told: unknown): void => {
      const replied = told as Replied;
      if ("failed" in replied) settle(() => reject(damaged(replied.failed)));
      else settle(() => resolve(replied));
    };
    const lose = (code: number | null, ended: NodeJS.Signals | null): void => {
      if (signal.aborted) settle(() => reject(signal.reason));
      else settle(() => reject(damaged(`the process that read it ended with ${ended ?? code}`)));
    };
    child.on("message", hear);
    child.on("exit", lose);
  });

const placeOf = (position: string): string => {
  try {
    const [table, key] = JSON.parse(readFileSync(position, "utf8"));
    return `, in the table "${table}" at or after the key ${JSON.stringify(key)}`;
  } catch {
    return "";
  }
};
