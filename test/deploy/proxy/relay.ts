import { type AddressInfo, connect, createServer } from "node:net";

/** Passes connections on to a port of this machine, and counts them. */
export interface Relay {
  readonly port: number;
  /** Connections so far. */
  count(): number;
  close(): void;
}

export const startRelay = (target: number): Promise<Relay> =>
  new Promise((resolve) => {
    let connections = 0;
    const server = createServer((from) => {
      connections += 1;
      const to = connect(target, "127.0.0.1");
      from.pipe(to).pipe(from);
      for (const socket of [from, to]) {
        socket.on("error", () => {
          from.destroy();
          to.destroy();
        });
      }
    });
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      resolve({ port, count: () => connections, close: () => void server.close() });
    });
  });
