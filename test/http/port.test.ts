import { once } from "node:events";
import { createServer } from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { findPort } from "../../src/http/port.ts";

const test = suite("ports");
const host = "127.0.0.1";

test("a free port is outside the range of ephemeral ports", async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, () => findPort({ host, port: 0 })));
  for (const port of ports) assert.ok(port >= 20_000 && port < 32_768, `${port}`);
});

test("a configured port that is in use is an error; a port that was only probed is free again", async () => {
  const port = await findPort({ host, port: 0 });
  assert.is(await findPort({ host, port }), port);
  const taken = createServer().listen(port, host);
  await once(taken, "listening");
  const refusal = await findPort({ host, port }).catch(({ code, message }) => ({ code, message }));
  taken.close();
  assert.equal(refusal, {
    code: "listen",
    message: `cannot listen on ${host}:${port}: the port is in use`,
  });
});

test("an address that this machine does not have is an immediate error", async () => {
  const refusal = await findPort({ host: "192.0.2.1", port: 0 }).catch(({ message }) => message);
  assert.match(refusal, /this machine does not have that address/);
});

test.run();
