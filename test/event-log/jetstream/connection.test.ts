import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { VitrineError } from "../../../src/errors.ts";
import { connectBroker } from "../../../src/event-log/jetstream/connection.ts";

const test = suite("a broker that accepts a connection and sends nothing");

/** The first line of a broker, and its answer to PING. */
const greeting = `INFO ${JSON.stringify({ server_id: "late", version: "2.10.0", proto: 1, max_payload: 1_048_576 })}\r\n`;
const pong = "PONG\r\n";

const listen = async (server: Server): Promise<string> => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address ? `nats://127.0.0.1:${address.port}` : "";
};

/** Resolves when the client has sent this many PINGs. */
const pings = (socket: Socket, count: number): Promise<void> =>
  new Promise((resolve) => {
    let received = "";
    socket.on("data", (bytes) => {
      received += bytes;
      if (received.split("PING\r\n").length > count) resolve();
    });
  });

test("the connection attempt is aborted, and the connection closed when the broker answers later", async () => {
  const server = createServer();
  const url = await listen(server);
  const ended = new AbortController();
  const taken = once(server, "connection") as Promise<[Socket]>;
  const connecting = connectBroker({
    url,
    settings: {},
    signal: ended.signal,
  }).catch((thrown: unknown) => thrown);
  const [socket] = await taken;
  ended.abort();
  try {
    const refused = await connecting;
    assert.instance(refused, VitrineError);
    assert.match((refused as VitrineError).message, "not connected");

    const closed = once(socket, "close");
    const [first, next] = [pings(socket, 1), pings(socket, 2)];
    socket.write(greeting);
    await first;
    socket.write(pong);
    // A connection that stays open sends a PING within five seconds.
    const isClosed = await Promise.race([closed.then(() => true), next.then(() => false)]);
    assert.ok(isClosed, "the connection goes on");
  } finally {
    socket.destroy();
    server.close();
  }
});

test.run();
