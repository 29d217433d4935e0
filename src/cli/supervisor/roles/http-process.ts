import { runProcess } from "../../run-process.ts";

/** An HTTP process of `serve`. */
runProcess(async () => {
  const { runWorker } = await import("../worker.ts");
  return runWorker<"http">(async (context) => (await import("./http.ts")).runHttpWorker(context));
});
