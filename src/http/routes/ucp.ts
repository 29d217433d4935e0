import { parseJson } from "../../surfaces/json.ts";
import { hidesPrices } from "../../surfaces/shop-info.ts";
import { checkAgentProfile, readProfileHeader } from "../../surfaces/ucp/agent-profile.ts";
import { answerCatalog } from "../../surfaces/ucp/catalog.ts";
import { ucpProfile } from "../../surfaces/ucp/profile.ts";
import { invalidRequest, isRefusal, type Refusal } from "../../surfaces/ucp/refusal.ts";
import type { UcpOperation, UcpVersion } from "../../surfaces/ucp/version.ts";
import { getHeader, type Handler, type HasBody, type HasModel } from "../exchange.ts";
import { encodeText, type Reply } from "../reply.ts";
import { createForms } from "../representation/compression.ts";
import { strongEtag } from "../representation/conditional.ts";

const jsonType = "application/json; charset=utf-8";

/**
 * Serves a profile of UCP. Every client gets the same one, and caches may keep it, as UCP demands: it says nothing of goods. Hidden
 * prices hide the catalogue.
 */
export const profile = (baseUrl: string, version: UcpVersion): Handler => {
  const toReply = (hides: boolean): Reply => {
    const body = Buffer.from(JSON.stringify(ucpProfile(baseUrl, version, { hidesPrices: hides })));
    return {
      ...{ status: 200, body, type: jsonType, etag: strongEtag(body) },
      ...{ keptFor: 300, forms: createForms() },
    };
  };
  const [withCatalog, withoutCatalog] = [toReply(false), toReply(true)];
  return (exchange) =>
    exchange.reader()?.snapshot((snapshot) => hidesPrices(snapshot)) ? withoutCatalog : withCatalog;
};

/** Serves an operation of UCP over REST. */
export const catalog =
  (baseUrl: string, version: UcpVersion, operation: UcpOperation): Handler<HasModel & HasBody> =>
  (exchange) =>
    exchange.model.snapshot((snapshot, madeFrom) => {
      const declared = readProfileHeader(getHeader(exchange, "ucp-agent"));
      const request = parseJson(exchange.body);
      const answer =
        checkAgentProfile(declared, baseUrl) ??
        (request === undefined ? notJson : answerCatalog(snapshot, version, operation, request));
      return {
        status: isRefusal(answer) ? 400 : 200,
        body: encodeText(JSON.stringify(isRefusal(answer) ? withHouseError(answer) : answer)),
        type: jsonType,
        headers: ["Cache-Control", "no-store", ...contentLanguage(snapshot.shop()?.language)],
        madeFrom,
      };
    });

const notJson = invalidRequest("the request: must be JSON in UTF-8");

/** Adds the error that every other surface has. */
const withHouseError = ({ code, content }: Refusal) => ({
  ...{ code, content },
  error: { code: "bad_request", message: content },
});

const contentLanguage = (language: string | undefined): readonly string[] =>
  language === undefined ? [] : ["Content-Language", language];
