/** Renders a tool's input and output. */
import { counted, withoutControls } from "@bough/session/text/index.js";
import { type ShellBlock, type ToolBlock, type TranscriptBlock, UNICODE_GLYPHS } from "@bough/session/view/index.js";
import { diffNumbers } from "@bough/session/view/internal.js";
import type { BlockLook } from "./block-look.js";
import { clip, restHtml } from "./clip.js";
import { type Html, html, NO_HTML } from "./html.js";
import { imagesHtml } from "./images-html.js";

/** One line, which also says in words how the call ended. */
export function toolSummary(block: ToolBlock | ShellBlock): Html {
  const title = block.kind === "shell" ? `$ ${block.command}` : block.title;
  const trouble = troubleOf(block);
  const sign = html`<span class="sign" aria-hidden="true">${UNICODE_GLYPHS.tool}</span>`;
  const words = html`<span class="title">${clip(title.replace(/\s+/g, " "), 300).text}</span>`;
  return html`${sign} ${words}${trouble === "" ? NO_HTML : html` <span class="trouble">${UNICODE_GLYPHS.failed} ${trouble}</span>`}`;
}

function troubleOf(block: ToolBlock | ShellBlock): string {
  if (block.kind === "shell") {
    if (block.cancelled) return "stopped";
    return typeof block.exitCode === "number" && block.exitCode !== 0 ? `exit code ${block.exitCode}` : "";
  }
  if (block.state === "interrupted") return "no result";
  if (block.state !== "failed") return "";
  if (block.isRefused) return "refused";
  if (block.isStopped) return "stopped";
  return typeof block.exitCode === "number" && block.exitCode !== 0 ? `exit code ${block.exitCode}` : "failed";
}

export function toolBody(block: ToolBlock | ShellBlock, look: BlockLook): Html {
  const { output: most } = look.limits(block.id);
  const output = clip(block.output, most);
  const cut = block.truncated ? html`<p class="muted">There was more output than the session keeps.</p>` : NO_HTML;
  const said = output.text.trim() === "" ? NO_HTML : html`<pre class="output" tabindex="0">${output.text}</pre>`;
  const rest = restHtml(output, block.id, look.more);
  if (block.kind === "shell") {
    const outside = block.outsideContext ? html`<p class="muted">The model was not shown this.</p>` : NO_HTML;
    return html`<pre class="input" tabindex="0">${clip(block.command, most).text}</pre>${said}${rest}${cut}${outside}`;
  }
  const diff = block.diff === undefined ? NO_HTML : diffHtml(clip(block.diff, most).text);
  const asked = block.diff === undefined ? argumentsText(block.arguments) : "";
  const input = asked === "" ? NO_HTML : html`<pre class="input" tabindex="0">${clip(asked, most).text}</pre>`;
  const none = block.state === "interrupted" ? html`<p class="muted">No result.</p>` : NO_HTML;
  return html`${input}${diff}${said}${rest}${imagesHtml(block.images, look.images)}${cut}${none}`;
}

/** Names and values on separate lines, with texts as they are: easier to read than JSON. */
function argumentsText(values: Readonly<Record<string, unknown>>): string {
  const lines: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    const text = typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
    lines.push(`${name}: ${text}`);
  }
  return withoutControls(lines.join("\n"));
}

/** Each file with its diff. Diffs were shortened when the page was made. */
export function filesBody({ files, moreFiles }: Extract<TranscriptBlock, { readonly kind: "files" }>): Html {
  const parts = files.map(({ title, diff, moreLines }) => {
    const shown = diff === "" ? NO_HTML : diffHtml(diff);
    return html`<p class="file">${title}</p>${shown}${notIncluded(moreLines, "more line")}`;
  });
  return html`${parts}${notIncluded(moreFiles, "more file")}`;
}

function notIncluded(count: number, thing: string): Html {
  return count === 0 ? NO_HTML : html`<p class="muted">${counted(count, thing)} not included</p>`;
}

const DIFF_CLASSES: Readonly<Record<string, string>> = { "+": "add", "-": "remove", "@": "hunk" };

/** Every line keeps its sign, so that nothing depends on color. */
export function diffHtml(diff: string): Html {
  const lines = diff.replace(/\n$/, "").split("\n");
  // A removed line may look like a heading, so headings are only recognized before the first hunk.
  const start = lines.findIndex((line) => line.startsWith("@@"));
  const numbers = diffNumbers(lines);
  const parts = lines.map((line, at) => {
    const isHeading = at < start && (line.startsWith("+++") || line.startsWith("---"));
    const kind = isHeading ? "hunk" : (DIFF_CLASSES[line.charAt(0)] ?? "same");
    const number = numbers[at];
    // Drawn by the style sheet, so that copied lines are those of the file.
    const margin = number === undefined ? NO_HTML : html` data-line="${number}"`;
    return html`<span class="${kind}"${margin}>${line}
</span>`;
  });
  return html`<pre class="diff" tabindex="0">${parts}</pre>`;
}
