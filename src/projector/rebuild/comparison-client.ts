import { type ChildProcess, fork } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { messageOf, VitrineError } from "../../errors.ts";
import { ownProgram } from "../../package-info.ts";
import { tellsOfDamage } from "../../platform/child-probe.ts";
import type { Comparison } from "../../read-model/compare/compare.ts";
import type { Checkpoint } from "../../read-model/schema/checkpoint.ts";

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
  | { readonly failed: string; readonly isOfTheMachine: boolean };

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
 * @throws (as do the calls of what it returns) `model_damaged`: which table, and where; `comparison_unavailable` when that process
 * ended or failed in a way that tells nothing of the file; the reason of the signal
 */
export const openApart = async (
  generation: string,
  place: string,
  signal: AbortSignal,
): Promise<Apart> => {
  signal.throwIfAborted();
  const position = join(place, "position");
  const told = refusals(basename(generation), position);
  const child = started([generation, position], told);
  const { ended, release } = endOf(child, signal, told);
  const hear = (): Promise<Replied> => Promise.race([ended, replyOf(child, told)]);
  const ask = (asked: Asked): Promise<Replied> => {
    const heard = hear();
    // What cannot be asked is of no use any more; its end tells why, when it came to one of its own.
    child.send(asked, (error) => void (error && child.kill("SIGKILL")));
    return heard;
  };
  const close = (): void => {
    release();
    if (child.connected) child.disconnect();
    rmSync(position, { force: true });
  };
  const look = async (asked: Asked): Promise<Former> => {
    const replied = await ask(asked);
    if ("former" in replied) return replied.former;
    throw told.unread("it did not tell its checkpoint");
  };
  await hear().catch((error) => {
    close();
    throw error;
  });
  return {
    look: () => look({ ask: "look" }),
    pin: () => look({ ask: "pin" }),
    async compare(built) {
      const replied = await ask({ ask: "compare", built });
      if ("comparison" in replied) return replied.comparison;
      throw told.unread("no comparison was told");
    },
    close,
  };
};

/** Node tells of some of what a process cannot be had for by an event, and throws the rest. */
const started = (args: readonly string[], { unread }: Refusals): ChildProcess => {
  try {
    return fork(program, args, {
      serialization: "advanced",
      stdio: ["ignore", "inherit", "pipe", "ipc"],
    });
  } catch (error) {
    throw unread(messageOf(error));
  }
};

const program = ownProgram("projector/rebuild/comparison-worker");

/** What is thrown where a generation could not be read for want of something else: it may be as good as ever. */
const notCompared = (name: string, how: string): VitrineError =>
  new VitrineError(
    "comparison_unavailable",
    `generation ${name} could not be compared: ${how}`,
    "nothing was changed and nothing is said of it: see what the machine lacks, such as memory, and try again",
  );

interface Refusals {
  damaged(how: string): VitrineError;
  unread(how: string): VitrineError;
}

const refusals = (name: string, position: string): Refusals => ({
  damaged: (how) =>
    new VitrineError(
      "model_damaged",
      `generation ${name} is damaged: ${how}${placeOf(position)}`,
      "vitrine rebuild makes a new one from the log",
    ),
  unread: (how) => notCompared(name, how),
});

/** Rejects when the process ends, whenever that is, or the signal comes, which ends it. */
const endOf = (
  child: ChildProcess,
  signal: AbortSignal,
  { damaged, unread }: Refusals,
): { readonly ended: Promise<never>; release(): void } => {
  let release = (): void => undefined;
  const ended = new Promise<never>((_, reject) => {
    const abort = (): void => {
      child.kill("SIGKILL");
      reject(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
    release = () => signal.removeEventListener("abort", abort);
    let stderr = "";
    child.stderr?.on("data", (text) => {
      stderr += text;
    });
    child.once("close", (code, killedBy) => {
      const refusal = tellsOfDamage(killedBy, stderr) ? damaged : unread;
      reject(refusal(`the process that read it ended with ${killedBy ?? code}`));
    });
    child.on("error", (error) => reject(unread(error.message)));
  });
  // Nobody may be asking when it ends: whoever asks next is told.
  ended.catch(() => undefined);
  return { ended, release };
};

/** The next thing the process says; rejects when it says that it failed. */
const replyOf = (child: ChildProcess, { damaged, unread }: Refusals): Promise<Replied> =>
  new Promise((resolve, reject) => {
    child.once("message", (told) => {
      const replied = told as Replied;
      if (!("failed" in replied)) return resolve(replied);
      const refusal = replied.isOfTheMachine ? unread : damaged;
      reject(refusal(replied.failed));
    });
  });

const placeOf = (position: string): string => {
  try {
    const [table, key] = JSON.parse(readFileSync(position, "utf8"));
    return `, in the table "${table}" at or after the key ${JSON.stringify(key)}`;
  } catch {
    return "";
  }
};
