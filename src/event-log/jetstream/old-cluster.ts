import type { ServerInfo } from "nats";

/** First measured version whose copies of a stream stay equal when a leader hangs and comes back (deploy/replicas/README.md). */
const minVersion = [2, 10, 27] as const;

/**
 * Describes the risk of a cluster of old servers: their copies of a stream may hold different events at the same sequence.
 * @returns undefined for a single server, and for a version without the risk
 */
export const describeOldCluster = (
  info: Pick<ServerInfo, "version" | "cluster"> | undefined,
): string | undefined => {
  if (!info?.cluster || isAtLeast(info.version)) return undefined;
  return `nats-server ${info.version} in a cluster may keep different events in the copies of a stream: use ${minVersion.join(".")} or later`;
};

/** @param version such as `2.9.10` or `2.11.0-RC.2` */
const isAtLeast = (version: string): boolean => {
  const parts = version.split(/[.-]/, minVersion.length).map(Number);
  const at = minVersion.findIndex((part, index) => part !== parts[index]);
  return at < 0 || (parts[at] ?? 0) > (minVersion[at] ?? 0);
};
