/** `tested`: the tests of Vitrine run the snippet. `tried`: it was run by hand. `untried`: the client needs an account or a desktop. */
export type Evidence =
  | { readonly kind: "tested" }
  | { readonly kind: "tried"; readonly version: string }
  | { readonly kind: "untried"; readonly reason: string };

export const describeEvidence = (evidence: Evidence): string => {
  switch (evidence.kind) {
    case "tested":
      return "The tests of Vitrine run this.";
    case "tried":
      return `Tried by hand with version ${evidence.version}.`;
    case "untried":
      return `Not tried: ${evidence.reason}.`;
  }
};
