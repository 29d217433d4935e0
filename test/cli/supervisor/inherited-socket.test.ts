import { suite } from "uvu";
import * as assert from "uvu/assert";
import { findInheritedSocket } from "../../../src/cli/supervisor/inherited-socket.ts";
import { VitrineError } from "../../../src/errors.ts";

const test = suite("sockets that systemd passes");

const pid = 42;

test("one socket for this process is the third file descriptor", () => {
  assert.is(findInheritedSocket({ LISTEN_PID: "42", LISTEN_FDS: "1" }, pid), 3);
});

test("variables for another process, and none, pass no socket", () => {
  for (const env of [
    {},
    { LISTEN_FDS: "1" },
    { LISTEN_PID: "41", LISTEN_FDS: "1" },
    { LISTEN_PID: "42" },
    { LISTEN_PID: "42", LISTEN_FDS: "0" },
  ])
    assert.is(findInheritedSocket(env, pid), undefined);
});

test("more than one socket is an error that says what to pass", () => {
  try {
    findInheritedSocket({ LISTEN_PID: "42", LISTEN_FDS: "2" }, pid);
    assert.unreachable();
  } catch (error) {
    assert.instance(error, VitrineError);
    assert.match(String(error), "systemd passed 2 sockets");
  }
});

test.run();
