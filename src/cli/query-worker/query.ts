import type {
  DeadLetterPage,
  DeadLetterShown,
  GenerationFacts,
  Questions,
} from "../../ops/console/types.ts";
import type { Explanation } from "../../projector/explain/explanation.ts";
import { openLooker, type StartLooking } from "./client.ts";

/**
 * The console's questions, asked of processes that look. What reads the event log has one of its own: it may take
 * long, and the others need not wait for it.
 */
export const askByProcess = (
  start: StartLooking,
): { readonly questions: Questions; close(): void } => {
  const model = openLooker(start);
  const history = openLooker(start);
  return {
    questions: {
      deadLetters: async (asked) =>
        (await model.ask({ kind: "deadLetters", asked })) as DeadLetterPage,
      deadLetter: async (sequence) =>
        (await model.ask({ kind: "deadLetter", sequence })) as DeadLetterShown | undefined,
      generations: async () =>
        (await model.ask({ kind: "generations" })) as readonly GenerationFacts[],
      explain: async (subject) => (await history.ask({ kind: "explain", subject })) as Explanation,
    },
    close() {
      model.close();
      history.close();
    },
  };
};
