import { once } from "node:events";
import { createServer } from "node:http";
import type { Exchange } from "./exchanges.ts";
import { tellParent } from "./tell-parent.ts";

/** The peer: `node:http` alone. It reads the body of a request and sends the answer it was given for it. */

const [exchanges] = (await once(process, "message")) as [readonly Exchange[]];
const answers = new Map(exchanges.map(({ body, answer }) => [body, Buffer.from(answer)]));

const server = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (text: string) => {
    body += text;
  });
  request.on("end", () => {
    const answer = answers.get(body);
    response.writeHead(answer ? 200 : 404, {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Length": answer?.length ?? 0,
    });
    response.end(answer);
  });
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
tellParent(server);
