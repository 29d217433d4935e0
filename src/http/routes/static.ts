import type { Handler } from "../pipeline.ts";
import { share } from "../representation/compress.ts";
import { strongEtag } from "../representation/conditional.ts";

/** Serves bytes that do not change while the process runs. Clients may cache them, and must revalidate. */
export const serveStatic = (bytes: Buffer, type: string): Handler => {
  const headers = ["Cache-Control", "no-cache"];
  const reply = { status: 200, body: share(bytes), type, etag: strongEtag(bytes), headers };
  return () => reply;
};
