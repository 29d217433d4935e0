import type { DataAge } from "../../../http/middleware/data-age.ts";
import { onSupervisorMessage } from "../ipc.ts";

/** Message of the supervisor to each HTTP process, about once per second. */
export interface AgeMessage {
  readonly kind: "age";
  /** Upper bound of the model's lag behind the log. */
  readonly seconds: number;
}

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
