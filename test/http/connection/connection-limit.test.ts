import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, Socket } from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { limitConnections } from "../../../src/http/connection/connection-limits.ts";
import { heapInUse } from "../../helpers/heap.ts";

const test = suite("connections of one client");

const host = "127.0.0.1";

/** Opens a connection from this machine and returns the server's socket. */
const opened = async (server: Server): Promise<Socket> => {
  const taken = once(server, "connection") as Promise<[Socket]>;
  connect((server.address() as AddressInfo).port, host).on("error", () => undefined);
  const [socket] = await taken;
  return socket;
};

test("a client whose connections closed may open as many again", async () => {
  const server = createServer();
  limitConnections(server, 2, () => undefined);
  await once(server.listen(0, host), "listening");
  const isKept: boolean[] = [];
  for (let visit = 0; visit < 3; visit += 1) {
    const sockets = [await opened(server), await opened(server), await opened(server)];
    isKept.push(...sockets.map(({ destroyed }) => !destroyed));
    const left = sockets.filter(({ closed }) => !closed).map((socket) => once(socket, "close"));
    for (const socket of sockets) socket.destroy();
    await Promise.all(left);
  }
  server.close();
  assert.equal(isKept, [true, true, false, true, true, false, true, true, false]);
});

/** A socket with a remote address that this machine does not have. */
const from = (remoteAddress: string): Socket =>
  Object.defineProperty(new Socket(), "remoteAddress", { value: remoteAddress });

test("clients without connections take no memory, however many there were", async () => {
  const server = createServer();
  limitConnections(server, 2, () => undefined);
  const visit = (client: number): Promise<unknown> => {
    const socket = from(
      `2001:db8:${(client >> 16).toString(16)}:${(client & 65_535).toString(16)}::1`,
    );
    server.emit("connection", socket);
    socket.destroy();
    return once(socket, "close");
  };
  for (let client = 0; client < 20_000; client += 1) await visit(client);
  const before = heapInUse();
  for (let client = 20_000; client < 120_000; client += 1) await visit(client);
  const grown = (heapInUse() - before) / 2 ** 20;
  assert.ok(grown < 3, `${grown} MB for 100,000 clients`);
});

test.run();
