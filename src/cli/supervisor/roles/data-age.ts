import type { DataAge } from "../../../http/send.ts";
import { onSupervisorMessage } from "../ipc.ts";
import type { AgeMessage } from "../messages.ts";

/** After this time without a message the age grows with the silence. */
const silentAfterMs = 3_000;

/** Tracks the data age. @param now monotonic clock in milliseconds */
export const createAgeTracker = (now: () => number) => {
  let latest: { readonly seconds: number; readonly at: number } | undefined;
  return {
    receive: ({ seconds }: AgeMessage): void => {
      latest = { seconds, at: now() };
    },
    age(): number | undefined {
      if (!latest) return undefined;
      const silence = now() - latest.at;
      return latest.seconds + (silence > silentAfterMs ? silence / 1_000 : 0);
    },
  };
};

/** Reads the data age from messages of the supervisor. */
export const ageFromSupervisor = (): DataAge => {
  const { receive, age } = createAgeTracker(() => performance.now());
  onSupervisorMessage("age", receive);
  return age;
};
