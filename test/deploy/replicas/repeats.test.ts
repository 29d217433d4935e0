import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  type Behaviour,
  type FailingReplica,
  startFailingReplica,
} from "../proxy/failing-replica.ts";
import { openClient } from "../proxy/https-client.ts";
import { fill, hostName, startNginx } from "../proxy/start-proxy.ts";
import { nginxReplicas } from "./fleet.ts";

const test = suite("deploy/replicas: what nginx repeats");

interface Outcome {
  readonly status: number;
  readonly retryAfter: unknown;
  /** Requests that each replica got. */
  readonly received: readonly number[];
}

/** Sends a request through nginx to replicas that behave so. "is away" accepts no connection. */
const send = async (
  method: "GET" | "POST",
  path: string,
  behaviours: readonly (Behaviour | "is away")[],
  count = 1,
): Promise<readonly Outcome[]> => {
  const replicas: FailingReplica[] = [];
  for (const each of behaviours) {
    const replica = await startFailingReplica(each === "is away" ? "dies" : each);
    if (each === "is away") await replica.close();
    replicas.push(replica);
  }
  const { edit, serverSettings } = nginxReplicas(replicas);
  const nginx = await startNginx(
    { shop: 1 },
    {
      edit: (site) => fill(edit(site), { "proxy_read_timeout 30s": "proxy_read_timeout 1s" }),
      serverSettings,
    },
  );
  const client = await openClient(nginx.port, hostName);
  try {
    const outcomes: Outcome[] = [];
    for (let at = 0; at < count; at += 1) {
      const headers = { ":method": method, "content-type": "application/json" };
      const before = replicas.map(({ received }) => received.length);
      const { status, headers: own } = await client.send(
        path,
        headers,
        method === "POST" ? "{}" : undefined,
      );
      const received = replicas.map(
        ({ received: { length } }, index) => length - (before[index] ?? 0),
      );
      outcomes.push({ status, retryAfter: own["retry-after"], received });
    }
    return outcomes;
  } finally {
    client.close();
    await nginx.stop();
    await Promise.all(replicas.map((replica) => replica.close()));
  }
};

const sum = (counts: readonly number[]): number =>
  counts.reduce((total, count) => total + count, 0);

for (const behaviour of ["dies", "hangs"] as const) {
  for (const path of ["/graphql", "/agent/mcp", "/agent/research", "/v1/register"]) {
    test(`a POST of ${path} on a replica that ${behaviour} goes to no other replica`, async () => {
      const [outcome] = await send("POST", path, [behaviour, behaviour, behaviour]);
      assert.is(outcome?.status, 503);
      assert.is(outcome?.retryAfter, "5");
      assert.is(sum(outcome?.received ?? []), 1);
    });
  }

  test(`a GET on replicas that all ${behaviour.replace(/s$/, "")} reaches each replica once`, async () => {
    const [outcome] = await send("GET", "/llms.txt", [behaviour, behaviour, behaviour]);
    assert.is(outcome?.status, 503);
    assert.equal(outcome?.received, [1, 1, 1]);
  });
}

test("a POST reaches another replica while one accepts no connection", async () => {
  for (const at of [0, 1, 2]) {
    const behaviours = ["answers", "answers", "answers"].map((each, index) =>
      index === at ? "is away" : each,
    ) as ("answers" | "is away")[];
    for (const { status } of await send("POST", "/graphql", behaviours, 3)) assert.is(status, 200);
  }
});

test("a POST that a replica refuses because it is behind goes to one that is not", async () => {
  for (const at of [0, 1, 2]) {
    const behaviours = ["is behind", "is behind", "is behind"].map((each, index) =>
      index === at ? "answers" : each,
    ) as ("answers" | "is behind")[];
    for (const { status, received } of await send("POST", "/graphql", behaviours, 3)) {
      assert.is(status, 200);
      assert.is(received[at], 1, `${received}`);
    }
  }
});

for (const method of ["GET", "POST"] as const) {
  test(`a ${method} is answered with old data while all replicas are behind`, async () => {
    for (const { status } of await send(
      method,
      "/graphql",
      ["is behind", "is behind", "is behind"],
      4,
    ))
      assert.is(status, 200);
  });
}

test.run();
