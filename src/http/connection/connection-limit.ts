import type { Server } from "node:http";
import type { Socket } from "node:net";
import { clientOf } from "./client-address.ts";
import type { RejectConnection } from "./rejected-connections.ts";

/**
 * Leaves room for others where one client opens connections without end: what is not asked for anything is counted by no
 * rate limit. One over the bound is closed at once.
 * @param most connections of one client in this process
 */
export const shareConnections = (server: Server, most: number, reject: RejectConnection): void => {
  const held = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const client = clientOf({ socket, headers: {} }, 0);
    const now = (held.get(client) ?? 0) + 1;
    if (now > most) {
      reject(socket, "client_connection_limit", client);
      return void socket.destroy();
    }
    held.set(client, now);
    socket.once("close", () => {
      const left = (held.get(client) ?? 1) - 1;
      if (left > 0) held.set(client, left);
      else held.delete(client);
    });
  });
};
