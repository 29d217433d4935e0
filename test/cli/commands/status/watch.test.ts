import { suite } from "uvu";
import * as assert from "uvu/assert";
import { renderFrame } from "../../../../src/cli/commands/status/command.ts";

const test = suite("redrawn status");

test("each line replaces the one before it, and the rest of the screen is cleared", () => {
  assert.is(
    renderFrame(["state live", "lag 0"]),
    "\u001b[Hstate live\u001b[K\nlag 0\u001b[K\n\u001b[J",
  );
});

test("a colour in data is shown as text", () => {
  const frame = renderFrame(["\u001b[32mstate live\u001b[39m"]);
  assert.match(frame, "\\u{1b}[32mstate live\\u{1b}[39m");
});

test.run();
