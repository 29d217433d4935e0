import { once } from "node:events";
import { connect } from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { open } from "./test-app.ts";

const test = suite("malformed requests");

/** What the server answers to bytes that no client library would send. */
const answerTo = async (url: string, request: string): Promise<string> => {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  let answer = "";
  socket.on("data", (text) => {
    answer += text;
  });
  socket.end(request);
  await once(socket, "close");
  return answer;
};

test("an address that cannot be parsed is 400 bad_request, and nothing for the error log", async () => {
  const world = await open();
  try {
    for (const address of ["http://[/graphql", "http://[::1/graphql"]) {
      const answer = await answerTo(
        world.url,
        `GET ${address} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      assert.match(answer, /^HTTP\/1\.1 400 /);
      assert.match(answer, '"code":"bad_request"');
      // It is counted like any other.
      assert.match(answer, /^RateLimit-Remaining: /im);
    }
    assert.equal(
      world.logged.filter(({ level }) => Number(level) >= 50),
      [],
    );
  } finally {
    await world.close();
  }
});

test("an expectation that nobody knows is asked for like any other request", async () => {
  const world = await open();
  try {
    const request = "GET /llms.txt HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: foo\r\n\r\n";
    const answer = await answerTo(world.url, request);
    assert.match(answer, /^HTTP\/1\.1 (200|503) /);
    assert.match(answer, /^API-Version: /im);
    assert.match(answer, /^RateLimit/im);
  } finally {
    await world.close();
  }
});

test.run();
