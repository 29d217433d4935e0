import { suite } from "uvu";
import * as assert from "uvu/assert";
import { gatewaySettings, serveSettings } from "../../../src/cli/shared-options.ts";
import { natsCredentials, readConfig, toNatsVariable } from "../../../src/config.ts";
import { toVariable } from "../../../src/settings.ts";
import { readComposeFile } from "./compose-file.ts";
import { findFaults } from "./compose-schema.ts";
import { readDeployFile } from "./read-yaml.ts";

const test = suite("deploy/compose.yml");
const document = readComposeFile();
const containers = Object.entries(document.services);
const named = (pattern: RegExp) => containers.filter(([name]) => pattern.test(name));
const replicas = named(/^vitrine-\d$/).map(([, container]) => container);

test("its first line states that it was not run with a container engine", () => {
  assert.match(readDeployFile("compose.yml"), /^# Not run with a container engine: /);
});

test("it has the form of the Compose specification, and no unknown field", () => {
  assert.equal(findFaults(document), []);
});

test("the check finds an unknown field and one of another type", () => {
  const faultsWith = (change: object) => {
    const nginx = { ...document.services["nginx"], ...change };
    return findFaults({ ...document, services: { ...document.services, nginx } }).join();
  };
  assert.is(faultsWith({}), "");
  assert.match(faultsWith({ readonly: true }), '"additionalProperty":"readonly"');
  assert.match(faultsWith({ read_only: ["always"] }), "/services/nginx/read_only");
});

test("each container removes the rights that it does not need, and only nginx is public", () => {
  const rights = { read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] };
  for (const [name, container] of containers) {
    assert.equal({ ...container, ...rights }, container, name);
  }
  const open = containers.filter(([, { ports = [] }]) =>
    ports.some((port) => !port.startsWith("127.0.0.1:")),
  );
  assert.equal(
    open.map(([name]) => name),
    ["nginx"],
  );
});

test("each volume belongs to one container", () => {
  const volumes = containers.flatMap(([, container]) => container.volumes ?? []);
  const sources = volumes.map((volume) => volume.split(":")[0]);
  assert.equal(sources, [...new Set(sources)]);
});

test("both replicas have valid settings, and the same token secret", () => {
  const [environment, second] = replicas.map((container) => container.environment ?? {});
  assert.ok(environment !== undefined);
  assert.equal(second, environment);
  const credentials = Object.keys(natsCredentials).map(toNatsVariable);
  const variables: readonly string[] = [...serveSettings.map(toVariable), ...credentials];
  assert.equal(
    Object.keys(environment).filter((name) => !variables.includes(name)),
    [],
  );
  const given = { BASE_URL: "https://shop.example", TOKEN_SECRET: "0".repeat(16) };
  const { events } = readConfig({}, { ...environment, ...given }, serveSettings);
  assert.equal(
    events.split(",").map((url) => new URL(url).hostname),
    named(/^nats-/).map(([name]) => name),
  );
});

test("the gateway has valid settings, publishes as the shop, and starts with its profile only", () => {
  const { environment = {}, ...gateway } = document.services["gateway"] ?? { networks: [] };
  const variables = [
    ...gatewaySettings.map(toVariable),
    ...Object.keys(natsCredentials).map(toNatsVariable),
  ];
  // Of the health check.
  const others = Object.keys(environment).filter((name) => !variables.includes(name));
  assert.equal(others, ["OPS_PORT"]);
  const { connections, gatewayPort, gatewayOpsPort } = readConfig({}, environment, gatewaySettings);
  assert.equal(gateway.ports, [`127.0.0.1:${gatewayPort}:${gatewayPort}`]);
  assert.is(String(gatewayOpsPort), environment["OPS_PORT"]);
  assert.ok(gateway.volumes?.some((volume) => volume.includes(`:${connections}:`)));
  assert.is(environment["NATS_USER"], "shop");
  assert.is(environment["EVENTS"], replicas[0]?.environment?.["EVENTS"]);
  assert.equal(gateway.profiles, ["gateway"]);
  assert.equal(gateway.command, ["gateway"]);
});

test("the ops ports are reached from the network of Prometheus", () => {
  assert.equal(document.services["prometheus"]?.networks, ["monitoring"]);
  for (const { networks } of replicas) {
    assert.equal(Object.keys(networks), ["broker", "public", "monitoring"]);
  }
});

test.run();
