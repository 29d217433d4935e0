import { suite } from "uvu";
import * as assert from "uvu/assert";
import { computeVersions, readRecordedVersions } from "./projection-code.ts";

const test = suite("versions of projections");

const howTo =
  "Raise its version in projections/index.ts if stored rows change; then run `npx tsx test/projections/record-versions.ts`.";

test("the code of a projection changes with its version", () => {
  const recorded = readRecordedVersions();
  const current = computeVersions();
  const changed = Object.keys(current).filter(
    (name) =>
      current[name]?.code !== recorded[name]?.code &&
      current[name]?.version === recorded[name]?.version,
  );
  assert.equal(changed, [], `the files of ${changed.join(", ")} changed. ${howTo}`);
});

test("the recorded versions are those of projections/index.ts", () => {
  assert.equal(readRecordedVersions(), computeVersions(), howTo);
});

test.run();
