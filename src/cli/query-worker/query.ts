import type {
  DeadLetterPage,
  DeadLetterShown,
  GenerationFacts,
  Questions,
} from "../../ops/console/types.ts";
import type { Explanation } from "../../projector/explain/explanation.ts";
import { openLooker, type StartLooking } from "./client.ts";

/**
 * Answers the console's queries through two query workers.
 * Queries that read the event log have their own worker, because they may take long and must not delay the others.
 */
export const askByProcess = (
  start: StartLooking,
): { readonly questions: Questions; close(): void } => {
  const model = openLooker(start);
  const history = openLooker(start);
  return {
    questions: {
      deadLetters: async (page) =>
        (await model.ask({ kind: "deadLetters", asked: page })) as DeadLetterPage,
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
