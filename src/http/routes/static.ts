import type { Step } from "../context.ts";
import { packOnce } from "../middleware/compression.ts";
import { strongEtag } from "../middleware/conditional.ts";

/** Sends bytes that stay the same as long as the process lives. Clients may keep them, and ask each time. */
export const staticText = (bytes: Buffer, type: string): Step => {
  const etag = strongEtag(bytes);
  packOnce(bytes);
  return (ctx) => {
    ctx.set("ETag", etag);
    ctx.set("Cache-Control", "no-cache");
    ctx.type = type;
    ctx.body = bytes;
  };
};
