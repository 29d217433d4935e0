/** Layers of a request, the innermost first: a cut of the chain has the layers up to one of them. */
export const layerNames = [
  "exchange, body and send",
  "model",
  "age of the data",
  "robots",
  "rate limit",
] as const;

export type LayerName = (typeof layerNames)[number];
