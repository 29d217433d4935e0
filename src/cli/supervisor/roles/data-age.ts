import type { DataAge } from "../../../http/middleware/data-age.ts";
import type { Answered } from "../ipc.ts";

/** What the process that watches the projector tells each HTTP process about once a second. */
export interface AgeTold {
  readonly kind: "age";
  /** How far the model may be behind the log. */
  readonly seconds: number;
}

/** Milliseconds without a word after which nobody knows: the age grows with the silence. */
const silentAfter = 3_000;

/** @param now a clock in milliseconds that nobody sets */
export const trackAge = (now: () => number) => {
  let told: { readonly seconds: number; readonly at: number } | undefined;
  return {
    hear: ({ seconds }: AgeTold): void => {
      told = { seconds, at: now() };
    },
    age(): number | undefined {
      if (!told) return undefined;
      const silence = now() - told.at;
      return told.seconds + (silence > silentAfter ? silence / 1_000 : 0);
    },
  };
};

/** The age as this process is told it by the one that started it. */
export const heardAge = (): DataAge => {
  const { hear, age } = trackAge(() => performance.now());
  process.on("message", (answered: Answered) => {
    if (answered.kind === "age") hear(answered);
  });
  return age;
};
