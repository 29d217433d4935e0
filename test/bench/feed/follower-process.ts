import { setPriority } from "node:os";
import { openFollowers } from "./open-followers.ts";

/**
 * A process that keeps followers open, with low priority, so that it does not delay the reads that its parent times. It sends a message
 * when they are open, and each time when all have got changes. Arguments: the URL of the service, the number of followers.
 */

const [url = "", count] = process.argv.slice(2);
process.once("disconnect", () => process.exit(0));
setPriority(19);
const followers = await openFollowers(url, Number(count));
for (;;) {
  const changed = followers.allChanged();
  process.send?.({ port: 0 });
  await changed;
}
