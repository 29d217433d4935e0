import { isObject, type JsonObject } from "../json.ts";
import { type CheckValue, compileSchema, pathOfError } from "../json-schema.ts";
import { invalidRequest, type Refusal } from "./refusal.ts";
import { newestUcp, readUcpSchemas, type UcpOperation, ucpOperations } from "./version.ts";

/** Requests of the three operations. A member that is null counts as absent; unknown ones are ignored. */
export interface UcpRequests {
  readonly search: SearchRequest;
  readonly lookup: LookupRequest;
  readonly product: ProductRequest;
}

/** What every request may have. */
export interface UcpRequest {
  readonly filters?: UcpFilters;
  readonly context?: { readonly currency?: string };
}

/** Members that are not known are named in a message. */
export interface UcpFilters extends JsonObject {
  /** Paths of names, or ids. */
  readonly categories?: readonly string[];
  /** In minor units. */
  readonly price?: { readonly min?: number; readonly max?: number };
}

export interface SearchRequest extends UcpRequest {
  readonly query?: string;
  readonly pagination?: { readonly limit?: number; readonly cursor?: string };
}

export interface LookupRequest extends UcpRequest {
  readonly ids: readonly string[];
}

export interface ProductRequest extends UcpRequest {
  readonly id: string;
  readonly selected?: readonly { readonly name: string; readonly label: string }[];
  /** Names of options, the most important first. */
  readonly preferences?: readonly string[];
}

/** Parses the request of an operation. The form is that of `schema/ucp`, the same in every version. */
export const parseUcpRequest = <O extends UcpOperation>(
  operation: O,
  given: unknown,
): UcpRequests[O] | Refusal => {
  const request = dropNull(given);
  const error = checks[operation](request);
  if (error) {
    const path = pathOfError(error).join(".") || "the request";
    if (path === "ids" && error.keyword === "maxItems")
      return { code: "request_too_large", content: "ids: must have at most 50 ids" };
    const isMissing = error.keyword === "required";
    return invalidRequest(
      isMissing ? `${path}: is missing` : `${path}: must be ${error.parentSchema?.description}`,
    );
  }
  // The check admits only the form of the operation.
  const parsed = request as UcpRequests[O];
  const problem = problems[operation](parsed) ?? findPriceProblem(parsed);
  return problem === undefined ? parsed : invalidRequest(problem);
};

const compileRequest = (operation: UcpOperation): CheckValue => {
  const $defs = readUcpSchemas(newestUcp);
  return compileSchema({ ...$defs[`${operation}_request`], $defs });
};

const checks = Object.fromEntries(
  ucpOperations.map((operation) => [operation, compileRequest(operation)]),
) as Readonly<Record<UcpOperation, CheckValue>>;

/** What a schema cannot say. */
const problems: { readonly [O in UcpOperation]: (request: UcpRequests[O]) => string | undefined } =
  {
    search: ({ query, filters }) =>
      query === undefined && Object.keys(filters ?? {}).length === 0
        ? "query: a search needs a query, filters or both"
        : undefined,
    lookup: () => undefined,
    product: ({ selected = [] }) => {
      const names = selected.map(({ name }) => name.trim().toLowerCase());
      const twice = selected.find((_, at) => names.indexOf(names[at] ?? "") < at);
      return twice && `selected: names ${twice.name.slice(0, 100)} twice`;
    },
  };

const findPriceProblem = ({ filters }: UcpRequest): string | undefined => {
  const { min = 0, max = Number.POSITIVE_INFINITY } = filters?.price ?? {};
  return min > max ? "filters.price: min must not be above max" : undefined;
};

/** Deeper than any member that is read. */
const maxDepth = 8;

/** Drops members that are null. */
const dropNull = (value: unknown, depth = 0): unknown => {
  if (depth === maxDepth) return value;
  if (Array.isArray(value)) return value.map((each) => dropNull(each, depth + 1));
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, dropNull(member, depth + 1)]));
};
