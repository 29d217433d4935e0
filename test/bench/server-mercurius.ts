import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Fastify from "fastify";
import { open } from "lmdb";
import mercurius from "mercurius";
import { packageRoot } from "../../src/package-info.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import type { Edge } from "./exchanges.ts";
import { reportToParent } from "./tell-parent.ts";

/**
 * The fastest GraphQL server of node, its JIT on, with the same schema and resolvers that only fetch.
 * Argument: `memory`, its best case, with plain objects; or `lmdb`, decoding each from a store.
 */

const [edges] = (await once(process, "message")) as [readonly Edge[]];

const inMemory = () => {
  const byId = new Map(edges.map(({ node }) => [node.id, node]));
  return (id: string) => byId.get(id) ?? null;
};

const inLmdb = () => {
  const directory = temporaryDirectory();
  process.on("exit", () => directory.remove());
  const store = open<Edge["node"], string>({ path: directory.path, noSubdir: false });
  store.transactionSync(() => {
    for (const { node } of edges) store.putSync(node.id, node);
  });
  return (id: string) => store.get(id) ?? null;
};

const find = process.argv[2] === "lmdb" ? inLmdb() : inMemory();
const places = new Map(edges.map(({ cursor }, at) => [cursor, at + 1]));

const resolvers = {
  Query: {
    product: (_: unknown, { id }: { id: string }) => ({ product: find(id), userErrors: [] }),
    products(_: unknown, { first, after }: { first: number; after: string | null }) {
      const start = after === null ? 0 : (places.get(after) ?? 0);
      const page = edges.slice(start, start + first);
      return {
        edges: page.map(({ cursor, node }) => ({ cursor, node: find(node.id) })),
        pageInfo: {
          hasNextPage: start + first < edges.length,
          endCursor: page.at(-1)?.cursor ?? null,
        },
        totalCount: edges.length,
        userErrors: [],
      };
    },
  },
};

const app = Fastify();
const schema = readFileSync(join(packageRoot, "schema", "graphql", "schema.graphql"), "utf8");
await app.register(mercurius, { schema, resolvers, jit: 1 });
await app.listen({ port: 0, host: "127.0.0.1" });
reportToParent(app.server);
