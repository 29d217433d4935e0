export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
}

/** A JSON Schema of the Kubernetes API, which kubernetes-models has compiled. */
interface Validate {
  (document: unknown): boolean;
  readonly errors?: readonly object[] | null;
}

/** Lists what is wrong with an object: errors of its schema, and paths of fields that the schema does not have. */
export const findFaults = async (document: KubernetesObject): Promise<readonly string[]> => {
  const validate = await loadSchema(document);
  const errors = validate(document) ? [] : (validate.errors ?? []);
  return [
    ...errors.map((error) => JSON.stringify(error)),
    ...findUnknownFields(validate, document),
  ];
};

/** Schemas have the names of the API without dots: `IoK8sApiAppsV1StatefulSet`. */
const loadSchema = async ({ apiVersion, kind }: KubernetesObject): Promise<Validate> => {
  const [group = "", version = ""] = apiVersion.includes("/")
    ? apiVersion.split("/")
    : ["core", apiVersion];
  const parts = [group.split(".")[0] ?? "", version, kind];
  const name = parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join("");
  const { validate } = await import(`kubernetes-models/_schemas/IoK8sApi${name}`);
  return validate;
};

/**
 * The API rejects unknown fields, but its schemas allow them. A compiled schema reads every field that it has, and no other, so the
 * fields that it does not read are unknown.
 */
const findUnknownFields = (validate: Validate, document: unknown): readonly string[] => {
  const read = new Set<string>();
  validate(recordReads(document, "", read));
  return pathsIn(document).filter((path) => !read.has(path));
};

const recordReads = (value: unknown, path: string, read: Set<string>): unknown =>
  typeof value !== "object" || value === null
    ? value
    : new Proxy(value, {
        get(target, key) {
          const member: unknown = Reflect.get(target, key);
          if (typeof key === "symbol" || !Object.hasOwn(target, key)) return member;
          read.add(`${path}/${key}`);
          return recordReads(member, `${path}/${key}`, read);
        },
      });

/** Lists the paths of all members of a value, each before its own members. */
const pathsIn = (value: unknown, path = ""): readonly string[] =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([key, member]) => [
        `${path}/${key}`,
        ...pathsIn(member, `${path}/${key}`),
      ]);
