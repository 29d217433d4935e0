import type { AddressInfo } from "node:net";
import type { CloudEvent } from "../../src/events/envelope.ts";
import { createApp } from "../../src/http/app.ts";
import { drain, listen } from "../../src/http/server.ts";
import { createLogger } from "../../src/log.ts";
import type { BatchResult } from "../../src/projector/batch/batch.ts";
import { openReader } from "../../src/read-model/reader/open-reader.ts";
import type { RegistrationMode } from "../../src/surfaces/access/registration.ts";
import { openAccess } from "./access.ts";
import { recordOf } from "./events.ts";
import { openModel } from "./model.ts";
import { unlimited } from "./unlimited.ts";

/** What the service says its own address is; it listens elsewhere, as behind a proxy. */
export const baseUrl = "https://agents.shop.example";

/** The whole way from an event to an answer: real LMDB, the real app, real HTTP on loopback. */
export interface TestService {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  /** Directory of the generation that answers, for a test that opens it a second time. */
  readonly generation: string;
  /** Folds events as one batch, as the projector would; the next request sees it. */
  tell(...events: readonly CloudEvent[]): BatchResult;
  /** Folds one event that the log took at a time of its own, in ms since 1970. Nothing is told before it. */
  deliver(event: CloudEvent, logTime: number): BatchResult;
  /** Lets a new generation answer, which these events made as one batch; `generation` is gone then. */
  swap(events: readonly CloudEvent[]): Promise<void>;
  /** Lets the model answer, for a service opened without one. */
  load(): void;
  /** Any request; `path` begins with a slash. */
  request(path: string, init?: RequestInit): Promise<Response>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** Posts a body to /graphql: a string as it is, anything else as JSON. */
  post(body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Posts a document; `T` is what the test expects of `data`. */
  graphql<T = unknown>(query: string, variables?: object): Promise<Answer<T>>;
  close(): Promise<void>;
}

export interface Answer<T> {
  readonly status: number;
  readonly data: T;
  /** Absent unless the document was malformed. */
  readonly errors?: readonly { readonly message: string }[];
}

/** Milliseconds a test's last request may still take when the service closes. */
const patience = 2_000;

/** @param loaded false for a service whose first replay still runs */
export const openService = async ({
  loaded = true,
  registration = "open" as RegistrationMode,
  rateLimit = unlimited(),
} = {}): Promise<TestService> => {
  let model = openModel();
  const { directory: generation } = model.store;
  const reader = openReader(model.store);
  let current = loaded ? reader : undefined;
  const log = createLogger("silent", "test");
  const access = openAccess(registration);
  const app = createApp({ reader: () => current, baseUrl, log, rateLimit, access });
  const server = await listen(app, { host: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const request: TestService["request"] = (path, init) => fetch(`${url}${path}`, init);
  const post: TestService["post"] = (body, headers = {}) =>
    request("/graphql", {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  return {
    url,
    generation,
    tell: (...events) => model.tell(...events),
    deliver: (event, logTime) => model.deliver([recordOf(event, 1, logTime)]),
    async swap(events) {
      const former = model;
      model = openModel();
      model.tell(...events);
      current = openReader(model.store);
      await former.close();
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
