import { packageVersion } from "../../package-info.ts";

/** Information about the server, the same in every revision. */

/** Protocol revisions with a handshake, newest first. */
export const handshakeRevisions = ["2025-11-25", "2025-06-18", "2025-03-26"] as const;
/** Protocol revision without a handshake: each request has version, client and capabilities. */
export const statelessRevision = "2026-07-28";
/** All supported protocol revisions, newest first. */
export const revisions: readonly string[] = [statelessRevision, ...handshakeRevisions];

export const serverInfo = {
  name: "vitrine",
  title: "Vitrine",
  version: packageVersion,
};

/** Tools only, without `listChanged`, because their list is constant while the service runs. */
export const capabilities = { tools: {} };
