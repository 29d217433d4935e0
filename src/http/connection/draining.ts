import type { Server } from "node:http";
import type { Socket } from "node:net";

/** State of a server that its connections share. */
interface ServerState {
  isDraining: boolean;
}

const serverStates = new WeakMap<Server, ServerState>();
const socketStates = new WeakMap<Socket, ServerState>();

/** Lets the responses on the server's connections know when it drains. */
export const trackDraining = (server: Server): void => {
  const state = { isDraining: false };
  serverStates.set(server, state);
  server.on("connection", (socket) => socketStates.set(socket, state));
};

export const startDraining = (server: Server): void => {
  const state = serverStates.get(server);
  if (state) state.isDraining = true;
};

/** Whether the next response on a connection is its last one, because the server drains. */
export const isDraining = (socket: Socket): boolean =>
  socketStates.get(socket)?.isDraining === true;
