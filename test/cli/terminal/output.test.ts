import { suite } from "uvu";
import * as assert from "uvu/assert";
import { isInteractive } from "../../../src/cli/terminal/output.ts";

const test = suite("terminal");

const previousTerm = process.env.TERM;
test.after(() => {
  if (previousTerm === undefined) delete process.env.TERM;
  else process.env.TERM = previousTerm;
});

test("a dumb terminal, and a pipe, get no codes for colours and the cursor", () => {
  const terminal = { isTTY: true } as NodeJS.WriteStream;
  process.env.TERM = "xterm-256color";
  assert.ok(isInteractive(terminal));
  assert.not(isInteractive({ isTTY: false } as NodeJS.WriteStream));
  process.env.TERM = "dumb";
  assert.not(isInteractive(terminal));
});

test.run();
