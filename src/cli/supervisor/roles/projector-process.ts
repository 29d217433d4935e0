import { runProcess } from "../../run-process.ts";

/** The projector of `serve`. */
runProcess(async () => {
  const { runWorker } = await import("../worker.ts");
  return runWorker<"projector">(async (context) =>
    (await import("./projector.ts")).runProjectorWorker(context),
  );
});
