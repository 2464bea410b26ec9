/**
 * Takes secrets out of tool results before they reach the session file and the model, and warns where one was typed.
 * Uses `tool_result`, which may change a result, and `message_end`.
 */
import type { ExtensionApi } from "bough/extension";

const SECRETS: readonly RegExp[] = [
  /\b(sk|pk|rk)-[A-Za-z0-9_-]{16,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g,
  /(?<=\b(?:password|passwd|secret|token|api_?key)\s*[=:]\s*["']?)[^\s"']{6,}/gi,
];

export default function (bough: ExtensionApi) {
  bough.on("tool_result", (event) => {
    const content = event.result.content.map((block) =>
      block.type === "text" ? { ...block, text: masked(String(block.text)) } : block,
    );
    // Details are for people and go into the file too. Mask the texts inside, whatever their shape.
    const { details } = event.result;
    const clean = details === undefined ? {} : { details: maskedDeep(details) };
    return { content, ...clean };
  });

  bough.on("message_end", (event, ctx) => {
    if (event.message.role !== "user") return;
    const text = JSON.stringify(event.message.content);
    if (masked(text) !== text) ctx.ui.notify("Your message holds something that looks like a secret", "warning");
  });
}

function masked(text: string): string {
  return SECRETS.reduce((rest, pattern) => rest.replace(pattern, "[secret]"), text);
}

function maskedDeep(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, part) => (typeof part === "string" ? masked(part) : part));
}
