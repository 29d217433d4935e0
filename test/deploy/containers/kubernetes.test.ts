import { readdirSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { serveSettings } from "../../../src/cli/shared-options.ts";
import { readConfig } from "../../../src/config.ts";
import { packageRoot } from "../../../src/package-info.ts";
import { toVariable } from "../../../src/settings.ts";
import { budget, configuration, policy, services, statefulSet } from "./kubernetes-objects.ts";
import { findFaults, type KubernetesObject } from "./kubernetes-schema.ts";
import { readDeployFile, readYaml } from "./read-yaml.ts";

const test = suite("deploy/kubernetes");
const files = readdirSync(join(packageRoot, "deploy", "kubernetes")).map(
  (file) => `kubernetes/${file}`,
);
const { spec } = statefulSet;
const pod = spec.template.spec;
const [container] = pod.containers;

test("each file states in its first line that it was not applied to a cluster", () => {
  const silent = files.filter(
    (file) => !readDeployFile(file).startsWith("# Not applied to a cluster: "),
  );
  assert.equal(silent, []);
});

test("each object has the form that the Kubernetes API accepts, and no unknown field", async () => {
  const objects = files.flatMap((file) => readYaml<KubernetesObject>(file));
  assert.is(objects.length, 6);
  for (const object of objects) assert.equal(await findFaults(object), [], object.kind);
});

test("the check finds an unknown field, a missing one, and one of another type", async () => {
  const faultsWith = (change: object) =>
    findFaults({ ...statefulSet, ...{ spec: { ...spec, ...change } } });
  const withContainer = { ...pod, containers: [{ ...container, readynessProbe: {} }] };
  assert.equal(await faultsWith({ template: { ...spec.template, spec: withContainer } }), [
    "/spec/template/spec/containers/0/readynessProbe",
  ]);
  assert.match((await faultsWith({ selector: undefined })).join(), '"missingProperty":"selector"');
  assert.match((await faultsWith({ replicas: "two" })).join(), "/spec/replicas");
});

test("all selectors select the pods, and all ports are theirs", () => {
  const { labels } = spec.template.metadata;
  const selector = { matchLabels: labels };
  assert.equal([spec.selector, budget.selector, policy.podSelector], Array(3).fill(selector));
  assert.ok(budget.minAvailable < spec.replicas);
  const ports = container.ports.map(({ name }) => name);
  assert.equal(
    policy.ingress.flatMap((rule) => rule.ports.map(({ port }) => port)),
    ports,
  );
  assert.equal(
    services.map((service) => service.spec.selector),
    [labels, labels],
  );
  assert.equal(
    services.flatMap((service) => service.spec.ports.map(({ targetPort }) => targetPort)),
    ports,
  );
  assert.ok(services.some(({ metadata }) => metadata.name === spec.serviceName));
});

test("the container has valid settings, and the ports and directories of the image", () => {
  const variables: readonly string[] = serveSettings.map(toVariable);
  const set = [...Object.keys(configuration), ...container.env.map(({ name }) => name)];
  assert.equal(
    set.filter((name) => !variables.includes(name)),
    [],
  );
  const { port, opsPort } = readConfig({}, configuration, serveSettings);
  assert.equal(
    container.ports.map(({ containerPort }) => containerPort),
    [port, opsPort],
  );
  assert.equal(
    container.volumeMounts.map(({ name, mountPath }) => [name, mountPath]),
    [
      [spec.volumeClaimTemplates[0]?.metadata.name, "/data"],
      [pod.volumes[0]?.name, "/tmp"],
    ],
  );
});

test("the pod removes every right that the service does not need", () => {
  assert.is(pod.automountServiceAccountToken, false);
  assert.equal(pod.securityContext, {
    ...{ runAsNonRoot: true, runAsUser: 1000, runAsGroup: 1000 },
    ...{ fsGroup: 1000, fsGroupChangePolicy: "OnRootMismatch" },
    seccompProfile: { type: "RuntimeDefault" },
  });
  assert.equal(container.securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
  });
});

test("probes ask the ops port, and a stop has time for open requests", () => {
  const { startupProbe, livenessProbe, readinessProbe, lifecycle } = container;
  const health = { path: "/healthz", port: "ops" };
  assert.equal(
    [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet),
    [health, health, { path: "/readyz", port: "ops" }],
  );
  const drainSeconds = 5;
  const { seconds } = lifecycle.preStop.sleep;
  assert.ok(pod.terminationGracePeriodSeconds >= seconds + 2 * drainSeconds);
});

test.run();
