import type { Server } from "node:http";
import type { Socket } from "node:net";

const servers = new WeakMap<Socket, Server>();
const drainingServers = new WeakSet<Server>();

/** Lets the responses on the server's connections know when it drains. */
export const trackDraining = (server: Server): void =>
  void server.on("connection", (socket) => servers.set(socket, server));

export const startDraining = (server: Server): void => void drainingServers.add(server);

/** Whether the next response on a connection is its last one, because the server drains. */
export const isDraining = (socket: Socket): boolean => {
  const server = servers.get(socket);
  return server !== undefined && drainingServers.has(server);
};
