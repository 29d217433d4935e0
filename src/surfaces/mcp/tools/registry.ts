import type { Logger } from "../../../log.ts";
import type { Reader } from "../../../read-model/reader/reader.ts";
import { internal } from "../tool-error.ts";
import {
  type Arguments,
  argumentsOf,
  type CheckArguments,
  withoutBlanks,
} from "../validate-arguments.ts";
import { checkAvailability } from "./check-availability.ts";
import { createCheckoutLink } from "./create-checkout-link.ts";
import { readDefinition, type ToolDefinition } from "./definition.ts";
import { getPolicies } from "./get-policies.ts";
import { getProduct } from "./get-product.ts";
import { getShippingOptions } from "./get-shipping-options.ts";
import { listCategories } from "./list-categories.ts";
import { searchProducts } from "./search-products.ts";
import type { Refused, Told, Tool } from "./tool.ts";

/** The result of `tools/call`. */
export interface CallResult {
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  readonly structuredContent: object;
  readonly isError?: true;
}

/** The seven tools of §4.2, in the order of its table. */
export interface Tools {
  readonly definitions: readonly ToolDefinition[];
  has(name: string): boolean;
  /** One call, from one moment of the model. Never throws: what fails is told as a result. */
  call(reader: Reader, name: string, args: Arguments): CallResult;
}

export interface ToolsWorld {
  readonly baseUrl: string;
  readonly log: Logger;
}

interface Ready {
  readonly definition: ToolDefinition;
  readonly check: CheckArguments;
  readonly answer: (world: Parameters<Tool<never>["answer"]>[0], args: Arguments) => Told | Refused;
}

/** @param args are what the tool's own schema accepts, so they are what its type says. */
const ready = <A>(tool: Tool<A>): Ready => {
  const definition = readDefinition(tool.name);
  const check = argumentsOf(definition);
  return { definition, check, answer: (world, args) => tool.answer(world, args as A) };
};

export const createTools = ({ baseUrl, log }: ToolsWorld): Tools => {
  const all = [
    ready(searchProducts),
    ready(getProduct),
    ready(listCategories),
    ready(checkAvailability),
    ready(getShippingOptions),
    ready(getPolicies),
    ready(createCheckoutLink),
  ];
  const byName = new Map(all.map((tool) => [tool.definition.name, tool]));
  const answer = (reader: Reader, name: string, given: Arguments): Told | Refused => {
    const tool = byName.get(name);
    if (!tool) return internal([], `${name} is no tool.`);
    const args = withoutBlanks(given);
    return tool.check(args) ?? reader.snapshot((moment) => tool.answer({ moment, baseUrl }, args));
  };
  return {
    definitions: all.map(({ definition }) => definition),
    has: (name) => byName.has(name),
    call(reader, name, args) {
      try {
        return resultOf(answer(reader, name, args));
      } catch (err) {
        log.error({ err, tool: name }, "a tool failed");
        return resultOf(internal([], "The store failed to answer; retry is safe."));
      }
    },
  };
};

const resultOf = (told: Told | Refused): CallResult => {
  if (!("refusal" in told)) {
    return { content: [{ type: "text", text: told.text }], structuredContent: told.structured };
  }
  const { code, field, message } = told.refusal;
  const where = field.length > 0 ? ` (${field.join(".")})` : "";
  return {
    content: [{ type: "text", text: `${code}${where}: ${message}` }],
    structuredContent: { code, field, message },
    isError: true,
  };
};
