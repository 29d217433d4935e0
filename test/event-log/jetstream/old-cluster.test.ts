import { suite } from "uvu";
import * as assert from "uvu/assert";
import { describeOldCluster } from "../../../src/event-log/jetstream/connection.ts";

const test = suite("a cluster of old nats-servers");

const describe = (version: string): string | undefined =>
  describeOldCluster({ version, cluster: "shop" });

test("versions before 2.10.27 are described as a risk", () => {
  for (const version of ["2.2.40", "2.9.10", "2.9.99", "2.10.0", "2.10.26"])
    assert.match(describe(version) ?? "", `nats-server ${version} in a cluster`);
});

test("later versions, and a single server of any version, are not", () => {
  for (const version of ["2.10.27", "2.10.28", "2.11.0-RC.2", "2.15.1", "3.0.0"])
    assert.is(describe(version), undefined, version);
  assert.is(describeOldCluster({ version: "2.9.10" }), undefined);
  assert.is(describeOldCluster(undefined), undefined);
});

test.run();
