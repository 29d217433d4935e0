import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { CloudEvent } from "../../src/events/envelope.ts";
import { createApp } from "../../src/http/app.ts";
import type { Observe } from "../../src/http/exchange.ts";
import { drain, listen } from "../../src/http/server.ts";
import { createLogger } from "../../src/log.ts";
import type { BatchResult } from "../../src/projector/context.ts";
import { emptyOperatorState } from "../../src/read-model/operator/state.ts";
import { openReader } from "../../src/read-model/reader/open-reader.ts";
import type { Reader } from "../../src/read-model/reader/reader.ts";
import type { RegistrationMode, SelfIssuedTokens } from "../../src/surfaces/access/registration.ts";
import type { ToolsAccess } from "../../src/surfaces/access/tokens.ts";
import { openAccess } from "./access.ts";
import { appDefaults } from "./app-defaults.ts";
import { endWithTest } from "./end-with-test.ts";
import { recordOf } from "./events.ts";
import { openModel } from "./model.ts";
import { unlimited } from "./unlimited.ts";

/** The configured base URL. The server listens elsewhere, as behind a proxy. */
export const baseUrl = "https://agents.shop.example";

/** An HTTP server on loopback with the real app and a real LMDB read model. */
export interface TestServer {
  /** Address it listens on, without a trailing slash. */
  readonly url: string;
  /** Emits `request` once the layers have got a request: a test learns that one waits. */
  readonly server: Server;
  /** Directory of the generation that answers, for a test that opens it a second time. */
  readonly generation: string;
  /** Applies events as one batch, as the projector does; the next request sees them. */
  apply(...events: readonly CloudEvent[]): BatchResult;
  /** Applies one event with a log time of its own, in ms since 1970. Call it before any `apply`. */
  deliver(event: CloudEvent, logTime: number): BatchResult;
  /**
   * Replaces the generation by a new one that these events fill as one batch. The directory `generation` is
   * removed.
   */
  swap(events: readonly CloudEvent[]): Promise<void>;
  /** Makes the model readable, for a server that was opened with `loaded: false`. */
  load(): void;
  /** Sends any request; `path` begins with a slash. */
  request(path: string, init?: RequestInit): Promise<Response>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** Posts a body to /graphql: a string as it is, anything else as JSON. */
  post(body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Posts a document; `T` is the expected type of `data`. */
  graphql<T = unknown>(query: string, variables?: object): Promise<Answer<T>>;
  close(): Promise<void>;
}

export interface Answer<T> {
  readonly status: number;
  readonly data: T;
  /** Absent unless the document was malformed. */
  readonly errors?: readonly { readonly message: string }[];
}

/** Maximum time that open requests may take when the server closes, in ms. */
const patience = 2_000;

/** @param loaded false for a server whose first replay still runs */
export const openTestServer = async ({
  loaded = true,
  registration = "open" as RegistrationMode,
  toolsAccess = "token" as ToolsAccess,
  selfIssuedTokens = "refused" as SelfIssuedTokens,
  rateLimit = unlimited(),
  sharedMaxAge = 0,
  maxFollowers = 1_000,
  /** The configured base URL. */
  at = baseUrl,
  observe = appDefaults.observe as Observe,
  /** The clock by which sales begin and end. */
  now = Date.now as () => number,
} = {}): Promise<TestServer> => {
  let model = openModel();
  const { directory: generation } = model.store;
  const open = (): Reader => openReader(model.store, [], emptyOperatorState, now);
  const reader = open();
  let current = loaded ? reader : undefined;
  const log = createLogger("silent", "test");
  const access = openAccess(registration, toolsAccess, selfIssuedTokens);
  const settings = { baseUrl: at, rateLimit, access, sharedMaxAge, maxFollowers, observe };
  const app = createApp({ ...appDefaults, ...settings, log, reader: () => current });
  const server = endWithTest(await listen(app, { host: "127.0.0.1", port: 0 }));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const request: TestServer["request"] = (path, init) => fetch(`${url}${path}`, init);
  const post: TestServer["post"] = (body, headers = {}) =>
    request("/graphql", {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  return {
    url,
    server,
    generation,
    apply: (...events) => model.apply(...events),
    deliver: (event, logTime) => model.deliver([recordOf(event, 1, logTime)]),
    async swap(events) {
      const previous = model;
      model = openModel();
      model.apply(...events);
      current = open();
      await previous.close();
    },
    load() {
      current = reader;
    },
    request,
    get: (path, headers = {}) => request(path, { headers }),
    post,
    async graphql<T>(query: string, variables: object = {}) {
      const response = await post({ query, variables });
      const answer = (await response.json()) as Omit<Answer<T>, "status">;
      return { ...answer, status: response.status };
    },
    async close() {
      const inTime = await drain(server, patience);
      await model.close();
      access.close();
      if (!inTime) throw new Error("a request was still running");
    },
  };
};
