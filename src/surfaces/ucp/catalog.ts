import type { Snapshot } from "../../read-model/reader/reader.ts";
import { hidesPrices } from "../shop-info.ts";
import { lookupCatalog } from "./lookup.ts";
import { answerProduct } from "./product.ts";
import { isRefusal, type Refusal } from "./refusal.ts";
import { parseUcpRequest, type UcpRequests } from "./request.ts";
import { searchCatalog } from "./search.ts";
import type { UcpOperation, UcpVersion } from "./version.ts";
import { hiddenOutcome, type UcpView } from "./view.ts";

type Answer<O extends UcpOperation> = (view: UcpView, request: UcpRequests[O]) => object | Refusal;

const answers: { readonly [O in UcpOperation]: Answer<O> } = {
  search: searchCatalog,
  lookup: lookupCatalog,
  product: answerProduct,
};

/** Answers the request of an operation, as REST and MCP give it (Contract §12). */
export const answerCatalog = <O extends UcpOperation>(
  snapshot: Snapshot,
  version: UcpVersion,
  operation: O,
  given: unknown,
): object | Refusal => {
  const request = parseUcpRequest(operation, given);
  if (isRefusal(request)) return request;
  const view: UcpView = { snapshot, version, operation };
  return hidesPrices(snapshot) ? hiddenOutcome(view) : answers[operation](view, request);
};
