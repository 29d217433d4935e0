import type { Step } from "../context.ts";
import { packOnce } from "../middleware/compression.ts";
import { strongEtag } from "../middleware/conditional.ts";

/** Serves bytes that do not change while the process runs. Clients may cache them, and must revalidate. */
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
