import type {
  ConsoleQueries,
  DeadLetterDetail,
  DeadLetterPage,
  GenerationInfo,
} from "../../ops/console/types.ts";
import type { Explanation } from "../../projector/explain/explanation.ts";
import { createQueryClient, type StartQueryWorker } from "./client.ts";

/**
 * Answers the console's queries through two query workers.
 * Queries that read the event log have their own worker, because they may take long and must not delay the others.
 */
export const queryViaWorker = (
  start: StartQueryWorker,
): { readonly questions: ConsoleQueries; close(): void } => {
  const model = createQueryClient(start);
  const history = createQueryClient(start);
  return {
    questions: {
      deadLetters: async (page) =>
        (await model.query({ kind: "deadLetters", params: page })) as DeadLetterPage,
      deadLetter: async (sequence) =>
        (await model.query({ kind: "deadLetter", sequence })) as DeadLetterDetail | undefined,
      generations: async () =>
        (await model.query({ kind: "generations" })) as readonly GenerationInfo[],
      explain: async (subject) =>
        (await history.query({ kind: "explain", subject })) as Explanation,
    },
    close() {
      model.close();
      history.close();
    },
  };
};
