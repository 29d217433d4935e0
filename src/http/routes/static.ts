import type { Handler } from "../pipeline.ts";
import type { Reply } from "../reply.ts";
import { createForms } from "../representation/compression.ts";
import { strongEtag } from "../representation/conditional.ts";

/** Serves bytes that do not change while the process runs. Clients may cache them, and must revalidate. */
export const serveStatic = (bytes: Buffer, type: string): Handler => {
  const reply: Reply = {
    status: 200,
    body: bytes,
    type,
    etag: strongEtag(bytes),
    publicFor: 0,
    forms: createForms(),
    isShared: true,
  };
  return () => reply;
};
