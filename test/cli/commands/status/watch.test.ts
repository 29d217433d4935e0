import { suite } from "uvu";
import * as assert from "uvu/assert";
import { renderFrame } from "../../../../src/cli/commands/status/watch.ts";

const test = suite("a status that is redrawn");

test("each line replaces the one that stood there, and only what is below the last is cleared", () => {
  assert.is(
    renderFrame(["state live", "lag 0"]),
    "\u001b[Hstate live\u001b[K\nlag 0\u001b[K\n\u001b[J",
  );
});

test.run();
