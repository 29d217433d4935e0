/** A process that opens an environment and closes it again, so many times; its exit code tells of failures. */
import { openEnvironment } from "../../src/lmdb.ts";

const [path = "", writes, times] = process.argv.slice(2);

for (let turn = 0; turn < Number(times); turn += 1) {
  const env = openEnvironment<Buffer, string>({
    path,
    readOnly: writes !== "writes",
    encoding: "binary",
  });
  if (writes === "writes") env.transactionSync(() => env.putSync("turn", Buffer.from(`${turn}`)));
  env.get("turn");
  await env.flushed;
  await env.close();
}
