import { suite } from "uvu";
import * as assert from "uvu/assert";
import { renderFrame } from "../../../../src/cli/commands/status/watch.ts";

const test = suite("redrawn status");

test("each line replaces the one before it, and the rest of the screen is cleared", () => {
  assert.is(
    renderFrame(["state live", "lag 0"]),
    "\u001b[Hstate live\u001b[K\nlag 0\u001b[K\n\u001b[J",
  );
});

test.run();
