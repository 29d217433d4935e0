import type { KubernetesObject } from "./kubernetes-schema.ts";
import { readYaml } from "./read-yaml.ts";

export type Labels = Readonly<Record<string, string>>;

/** The parts of the objects in deploy/kubernetes that the tests read. */
interface StatefulSet extends KubernetesObject {
  readonly spec: {
    readonly replicas: number;
    readonly serviceName: string;
    readonly selector: object;
    readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: Pod };
    readonly volumeClaimTemplates: readonly { readonly metadata: { readonly name: string } }[];
  };
}

interface Pod {
  readonly automountServiceAccountToken: boolean;
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: object;
  readonly volumes: readonly { readonly name: string }[];
  readonly containers: readonly [Container];
}

interface Container {
  readonly env: readonly { readonly name: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly securityContext: object;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly lifecycle: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
}

interface Probe {
  readonly httpGet: object;
}

/** A Service of Kubernetes. */
interface Endpoint extends KubernetesObject {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly selector: Labels;
    readonly ports: readonly { readonly targetPort: string }[];
  };
}

interface NetworkPolicy extends KubernetesObject {
  readonly spec: {
    readonly podSelector: object;
    readonly ingress: readonly { readonly ports: readonly { readonly port: string }[] }[];
  };
}

const readOne = <T>(file: string): T => {
  const [object] = readYaml<T>(`kubernetes/${file}`);
  if (object === undefined) throw new Error(`${file} is empty`);
  return object;
};

export const statefulSet = readOne<StatefulSet>("statefulset.yaml");
export const { data: configuration } = readOne<{ data: Labels }>("config.yaml");
export const { spec: budget } = readOne<{ spec: { minAvailable: number; selector: object } }>(
  "disruption-budget.yaml",
);
export const { spec: policy } = readOne<NetworkPolicy>("network-policy.yaml");
export const services = readYaml<Endpoint>("kubernetes/services.yaml");
