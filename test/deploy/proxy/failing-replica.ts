import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What a replica does with a request that it has got in full. */
export type Behaviour = "dies" | "hangs" | "is behind" | "answers";

/** A replica that counts its requests and fails as a test says. */
export interface FailingReplica {
  readonly port: number;
  behaviour: Behaviour;
  /** Methods of the requests so far. */
  readonly received: string[];
  close(): Promise<void>;
}

export const startFailingReplica = async (behaviour: Behaviour): Promise<FailingReplica> => {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    received.push(request.method ?? "");
    behave(replica.behaviour, request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const replica: FailingReplica = {
    ...{ port, behaviour, received },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return replica;
};

const behave = (
  behaviour: Behaviour,
  { headers, socket }: IncomingMessage,
  response: ServerResponse,
): void => {
  switch (behaviour) {
    case "dies":
      socket.destroy();
      return;
    case "hangs":
      return;
    case "is behind":
      response.statusCode = headers["x-max-data-age"] === undefined ? 200 : 503;
      response.end("{}");
      return;
    case "answers":
      response.end("{}");
  }
};
