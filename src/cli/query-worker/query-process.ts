import { runProcess } from "../run-process.ts";

/** The process that answers the queries of the ops port. */
runProcess(async () => {
  const { runWorker } = await import("../supervisor/worker.ts");
  return runWorker<"query">(async (context) =>
    (await import("./worker.ts")).runQueryWorker(context),
  );
});
