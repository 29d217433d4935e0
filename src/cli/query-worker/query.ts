import type { ConsoleQueries } from "../../ops/console/types.ts";
import { createQueryClient, type StartQueryWorker } from "./client.ts";

/**
 * Answers the console's queries through two query workers.
 * Queries that read the event log have their own worker, because they may take long and must not delay the others.
 */
export const queryViaWorker = (
  start: StartQueryWorker,
): { readonly queries: ConsoleQueries; close(): void } => {
  const model = createQueryClient(start);
  const history = createQueryClient(start);
  return {
    queries: {
      deadLetters: (params) => model.ask("deadLetters", params),
      deadLetter: (sequence) => model.ask("deadLetter", { sequence }),
      generations: () => model.ask("generations", {}),
      explain: (subject) => history.ask("explain", { subject }),
    },
    close() {
      model.close();
      history.close();
    },
  };
};
