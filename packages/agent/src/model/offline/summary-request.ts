import type { ModelInputMessage } from "@bough/session/context/index.js";
import type { ModelRequest } from "../language-model.js";
import type { SummaryInput } from "./extract-summary.js";
import { readTranscript } from "./transcript.js";

const HEADINGS = ["Goal", "Constraints & Preferences", "Progress", "Key Decisions", "Next Steps", "Critical Context"];

/**
 * The input for a summary, if the request asks for one; otherwise undefined.
 *
 * A summary request has no tools. Its instructions or its last message name the standard headings, or mention a summary
 * and include a conversation as text.
 */
export function summaryRequest(request: ModelRequest, input: readonly ModelInputMessage[]): SummaryInput | undefined {
  if (request.tools.length > 0) return undefined;
  const last = input.at(-1);
  if (last?.role !== "user") return undefined;
  const asked = textOf(last);
  const instructions = `${request.system}\n${asked}`;
  const headings = HEADINGS.filter((heading) => instructions.includes(heading)).length;
  const written = block(asked, "conversation") ?? (readTranscript(asked).length > 1 ? asked : undefined);
  const wanted = headings >= 4 || (written !== undefined && /summar/i.test(instructions));
  if (!wanted) return undefined;
  const previous = block(asked, "previous-summary");
  const focus =
    /(?:additional focus|special attention to this|focus(?: on)?|additional instructions|custom instructions)\s*:\s*(.+)/i.exec(
      asked,
    )?.[1];
  return {
    transcript: written ?? input.slice(0, -1).map(asTranscript).join("\n\n"),
    previous,
    focus,
    spelling: instructions,
  };
}

function block(text: string, tag: string): string | undefined {
  const start = text.indexOf(`<${tag}>`);
  const end = text.lastIndexOf(`</${tag}>`);
  return start < 0 || end < start ? undefined : text.slice(start + tag.length + 2, end);
}

export function textOf(message: ModelInputMessage): string {
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

function asTranscript(message: ModelInputMessage): string {
  if (message.role === "user") return `[User]: ${textOf(message)}`;
  if (message.role === "toolResult") return `[Tool result]: ${textOf(message)}`;
  const calls = message.content.map((part) =>
    part.type === "toolCall" ? `[Tool call]: ${part.name}(${JSON.stringify(part.arguments)})` : "",
  );
  const said = textOf(message);
  return [said.trim() === "" ? "" : `[Assistant]: ${said}`, ...calls].filter((line) => line !== "").join("\n\n");
}
