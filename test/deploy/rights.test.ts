import { readFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../src/package-info.ts";

const test = suite("rights of a deployment");

const linesOf = (...path: readonly string[]): readonly string[] =>
  readFileSync(join(packageRoot, "deploy", ...path), "utf8").split("\n");

/** Each line removes a right that an attacker in the process could use. */
const withoutRights: readonly string[] = [
  "DynamicUser=yes",
  "StateDirectoryMode=0700",
  "UMask=0077",
  "NoNewPrivileges=yes",
  "CapabilityBoundingSet=",
  "AmbientCapabilities=",
  "ProtectSystem=strict",
  "ProtectHome=yes",
  "PrivateTmp=yes",
  "PrivateDevices=yes",
  "PrivateUsers=yes",
  "RestrictNamespaces=yes",
  "RestrictSUIDSGID=yes",
  "SystemCallFilter=@system-service",
  "LimitCORE=0",
];

for (const unit of ["vitrine.service", "vitrine-gateway.service"]) {
  test(`${unit} removes every right that its process does not need`, () => {
    const lines = linesOf("systemd", unit);
    assert.equal(
      withoutRights.filter((line) => !lines.includes(line)),
      [],
    );
    const writable = lines.filter((line) =>
      /^(State|Cache|Logs)Directory=|^ReadWritePaths=/.test(line),
    );
    assert.equal(writable, ["StateDirectory=vitrine"]);
  });
}

test("the container removes every right that the service does not need", () => {
  const lines = linesOf("Dockerfile");
  const last = lines.findLastIndex((line) => line.startsWith("FROM "));
  const users = lines.slice(last).filter((line) => line.startsWith("USER "));
  assert.equal(users, ["USER node"]);
  const afterUser = lines.slice(lines.indexOf("USER node"));
  assert.equal(
    afterUser.filter((line) => /^(RUN|COPY|ADD|USER) /.test(line)).slice(1),
    [],
    "the steps of root come before",
  );
  assert.match(lines.join("\n"), /--read-only .*--cap-drop ALL --security-opt no-new-privileges/);
});

test.run();
