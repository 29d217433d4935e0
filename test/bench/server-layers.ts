import { once } from "node:events";
import { createServer } from "node:http";
import Koa from "koa";
import type { Handler, Layer } from "../../src/http/exchange.ts";
import type { Exchange } from "./exchanges.ts";
import { importBuilt } from "./import-built.ts";
import { type LayerName, layerNames } from "./layer-names.ts";
import { reportToParent } from "./report-to-parent.ts";

/**
 * A server that sends one recorded response through the layers that every request passes, cut after one of them. It reads the
 * body of a request in every cut, as the bare servers do. Arguments: the last layer, and the data directory of a model.
 */

const http = <M>(path: string): Promise<M> => importBuilt<M>(`http/${path}`);
const { answerRequests } = await http<typeof import("../../src/http/route.ts")>("route");
const { encodeText } = await http<typeof import("../../src/http/reply.ts")>("reply");
const { jsonBody } =
  await http<typeof import("../../src/http/middleware/json-body.ts")>("middleware/json-body");
const { limitDataAge, requireModel } =
  await http<typeof import("../../src/http/middleware/requirements.ts")>("middleware/requirements");
const { createFixedWindow, rateLimit } =
  await http<typeof import("../../src/http/rate-limit/rate-limit.ts")>("rate-limit/rate-limit");
const { followRobots, watchRobots } =
  await http<typeof import("../../src/http/robots/policy.ts")>("robots/policy");
const { shareReplies } = await http<typeof import("../../src/http/send.ts")>("send");
const { openStore } =
  await importBuilt<typeof import("../../src/read-model/store/store.ts")>("read-model/store/store");
const { openReader } = await importBuilt<
  typeof import("../../src/read-model/reader/open-reader.ts")
>("read-model/reader/open-reader");
const { openDataDirectory } = await importBuilt<
  typeof import("../../src/read-model/generations/data-directory.ts")
>("read-model/generations/data-directory");

const [, , last, dataDir] = process.argv as [string, string, LayerName, string];
const [{ status, headers, body }] = (await once(process, "message")) as [Exchange];

const directory = openDataDirectory(dataDir).live() ?? "";
const reader = openReader(openStore(directory, { readOnly: true }));
const limit = 1_000_000_000;
const robots = watchRobots();
const dataAge = () => 0;

/** In the sequence of the chain, the outermost last. */
const layers: Readonly<Record<LayerName, Layer>> = {
  "exchange, body and send": (next) => next,
  model: (next) => requireModel(next),
  "age of the data": limitDataAge(dataAge),
  robots: followRobots(robots),
  "rate limit": rateLimit({ limit, count: createFixedWindow(limit, () => performance.now()) }),
};

const type = headers["content-type"];
const bytes = encodeText(body);
const reply: Handler = () => ({ status, body: bytes, type });
const kept = layerNames.slice(0, layerNames.indexOf(last) + 1);
const handler = kept.reduce<Handler>(
  (inner, name) => layers[name](inner),
  jsonBody(1_000_000)(reply),
);
const route = { name: "graphql", path: "/graphql", headers: [], handler };
const send = { dataAge, caching: shareReplies(0, robots, console), observe: () => {} };
const app = new Koa();
app.use(answerRequests(() => route, { reader: () => reader, trustedProxies: 0, ...send }));

const server = createServer(app.callback());
server.listen(0, "127.0.0.1");
await once(server, "listening");
reportToParent(server);
