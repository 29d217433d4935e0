import { once } from "node:events";
import { connect } from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { open } from "./test-app.ts";

const test = suite("malformed requests");

/** Sends bytes that no client library would send, and reads the response. */
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

test("a request target that cannot be parsed is 400 bad_request and is not logged as an error", async () => {
  const testApp = await open();
  try {
    for (const address of ["http://[/graphql", "http://[::1/graphql"]) {
      const answer = await answerTo(
        testApp.url,
        `GET ${address} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      assert.match(answer, /^HTTP\/1\.1 400 /);
      assert.match(answer, '"code":"bad_request"');
      // The request counts towards the rate limit.
      assert.match(answer, /^RateLimit-Remaining: /im);
    }
    assert.equal(
      testApp.logged.filter(({ level }) => Number(level) >= 50),
      [],
    );
  } finally {
    await testApp.close();
  }
});

test("an unknown Expect header is ignored", async () => {
  const testApp = await open();
  try {
    const request = "GET /llms.txt HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: foo\r\n\r\n";
    const answer = await answerTo(testApp.url, request);
    assert.match(answer, /^HTTP\/1\.1 (200|503) /);
    assert.match(answer, /^API-Version: /im);
    assert.match(answer, /^RateLimit/im);
  } finally {
    await testApp.close();
  }
});

test.run();
