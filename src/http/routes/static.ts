import type { Middleware } from "../context.ts";
import { precompress } from "../middleware/compression.ts";
import { strongEtag } from "../middleware/conditional.ts";

/** Serves bytes that do not change while the process runs. Clients may cache them, and must revalidate. */
export const serveStatic = (bytes: Buffer, type: string): Middleware => {
  const etag = strongEtag(bytes);
  precompress(bytes);
  return (ctx) => {
    ctx.set("ETag", etag);
    ctx.set("Cache-Control", "no-cache");
    ctx.type = type;
    ctx.body = bytes;
  };
};
