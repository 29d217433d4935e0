import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** What a look at files came to: undefined when nothing is wrong, else what was found, in one sentence. */
export type Found = string | undefined;

/** Milliseconds. A tree of pages that leads back to itself is read for ever. */
const longestLook = 600_000;

/**
 * Looks at files in a process of their own: a damaged LMDB file ends whoever reads it, by a signal nobody can catch.
 * @param program module beside which this one was built, such as `import.meta.url` of its neighbour
 */
export const lookFromOutside = async (
  program: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<Found> => {
  const child = spawn(process.execPath, [...process.execArgv, fileURLToPath(program), ...args], {
    stdio: ["ignore", "pipe", "ignore"],
    env: {},
    timeout: longestLook,
    killSignal: "SIGKILL",
  });
  const stop = () => child.kill("SIGKILL");
  signal?.addEventListener("abort", stop, { once: true });
  let said = "";
  child.stdout.on("data", (text) => {
    said += text;
  });
  const [code, killedBy] = await once(child, "close");
  signal?.removeEventListener("abort", stop);
  if (code === 0 || signal?.aborted) return undefined;
  return said.trim() || `reading it ends a process (${killedBy ?? `exit code ${code}`})`;
};

/** The inside of such a process: what `look` throws is what was found. */
export const lookAndTell = async (look: () => Promise<void>): Promise<void> => {
  try {
    await look();
    process.exitCode = 0;
  } catch (error) {
    process.stdout.write(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
};
