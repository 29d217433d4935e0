import type { Server } from "node:http";
import type { Socket } from "node:net";
import { clientAddress } from "./client-address.ts";
import type { RejectConnection } from "./rejected-connections.ts";

/**
 * Limits the connections of one client, because idle connections count toward no rate limit. A connection
 * over the limit is closed at once.
 * @param maxPerClient open connections of one client in this process
 */
export const limitConnections = (
  server: Server,
  maxPerClient: number,
  reject: RejectConnection,
): void => {
  const openByClient = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const client = clientAddress({ socket, headers: {} }, 0);
    const count = (openByClient.get(client) ?? 0) + 1;
    if (count > maxPerClient) {
      reject(socket, "client_connection_limit", client);
      return void socket.destroy();
    }
    openByClient.set(client, count);
    socket.once("close", () => {
      const remaining = (openByClient.get(client) ?? 1) - 1;
      if (remaining > 0) openByClient.set(client, remaining);
      else openByClient.delete(client);
    });
  });
};
