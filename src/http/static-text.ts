import { packOnce } from "./compress.ts";
import type { Step } from "./context.ts";
import { strongEtag } from "./etag.ts";

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
