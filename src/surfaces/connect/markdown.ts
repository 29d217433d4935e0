import { surfacePaths } from "../paths.ts";
import type { Site } from "../site.ts";
import { connectionGuides, type Guide } from "./guides.ts";
import { tokenPlaceholder } from "./snippets.ts";

/** Writes the section of auth.md on how each client connects. */
export const connectSection = (site: Site): string =>
  [`## 7. Connect a client`, introduction(site), ...connectionGuides(site).map(formatGuide)].join(
    "\n\n",
  );

const introduction = ({ baseUrl, toolsAccess }: Site): string =>
  `The address of the tools is ${baseUrl}${surfacePaths.tools}. ${
    toolsAccess === "open"
      ? "No token is needed."
      : `Replace \`${tokenPlaceholder}\` with your token.`
  }`;

const formatGuide = ({ client, how, snippet, evidence }: Guide): string =>
  `### ${client}

${how}

\`\`\`${snippet.language}
${snippet.code}
\`\`\`

${evidence}`;
