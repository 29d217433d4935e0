import type { Server } from "node:net";

/** Lets the process of a test end although a failed test left this server open. */
export const endWithTest = <S extends Server>(server: S): S => {
  server.on("connection", (socket) => socket.unref());
  return server.unref();
};
