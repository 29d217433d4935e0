import type { EnvironmentVariables } from "../../config.ts";
import { VitrineError } from "../../errors.ts";

/** File descriptor of the first socket that systemd passes to a process. */
const firstDescriptor = 3;

/** File descriptor of the socket in an HTTP process. Lower ones are standard input and output, and the messages of the supervisor. */
export const workerDescriptor = 4;

/**
 * Finds the listening socket that systemd passed to this process (sd_listen_fds(3)). systemd keeps the socket open, so that connections
 * wait while the service restarts.
 * @returns its file descriptor; undefined when there is none, or the variables are for another process
 * @throws VitrineError `usage` for more than one socket
 */
export const findInheritedSocket = (
  { LISTEN_PID: owner, LISTEN_FDS: count }: EnvironmentVariables,
  pid: number,
): number | undefined => {
  if (owner !== String(pid) || count === undefined || count === "0") return undefined;
  if (count === "1") return firstDescriptor;
  throw new VitrineError(
    "usage",
    `systemd passed ${count} sockets (LISTEN_FDS)`,
    "pass one: ListenStream= of the public port",
  );
};
