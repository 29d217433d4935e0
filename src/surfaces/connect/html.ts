import { escapeHtml } from "../../text/escape-html.ts";
import type { Site } from "../site.ts";
import { connectionGuides, type Guide } from "./guides.ts";
import { tokenPlaceholder } from "./snippets.ts";

/** Writes the section of the home page on how each client connects, with buttons that copy the snippets. */
export const connectHtml = (site: Site): string => `<h2>Connect</h2>
<p>${introduction(site)}</p>
${connectionGuides(site).map(formatGuide).join("\n")}`;

const introduction = ({ baseUrl, toolsAccess }: Site): string =>
  toolsAccess === "open"
    ? "The tools need no token."
    : `The tools need a token: <a href="${escapeHtml(baseUrl)}/auth.md">how to get one</a>. Replace <code>${tokenPlaceholder}</code> with it.`;

const formatGuide = ({ client, how, snippet, evidence }: Guide): string =>
  `<details><summary>${escapeHtml(client)}</summary>
<p>${escapeHtml(how)}</p>
<div class="snippet"><button type="button" hidden aria-label="Copy the lines for ${escapeHtml(client)}">Copy</button><pre tabindex="0"><code>${escapeHtml(snippet.code)}</code></pre></div>
<p class="foot">${escapeHtml(evidence)}</p>
</details>`;

/**
 * Copies the snippet of the button that is clicked. A browser gives the clipboard to secure pages only, so on others the script selects
 * the snippet. The button says so for two seconds.
 */
export const copyScript = `
const copy = async (code) => {
  try {
    await navigator.clipboard.writeText(code.textContent);
    return "Copied";
  } catch {
    getSelection().selectAllChildren(code);
    return "Selected";
  }
};
for (const button of document.querySelectorAll("button")) {
  const label = button.ariaLabel;
  button.hidden = false;
  button.addEventListener("click", async () => {
    button.textContent = button.ariaLabel = await copy(button.parentElement.querySelector("code"));
    setTimeout(() => {
      button.textContent = "Copy";
      button.ariaLabel = label;
    }, 2000);
  });
}
`;
