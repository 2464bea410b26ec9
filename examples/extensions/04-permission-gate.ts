/**
 * Asks before commands that are hard to take back. Where nobody can be asked, they do not run.
 * Uses `tool_call`, which may block a call, `ctx.hasUi`, and `ctx.ui.confirm`.
 */
import type { ExtensionApi } from "bough/extension";

const DANGEROUS: readonly RegExp[] = [
  /\brm\s+(-\w*[rf]\w*\s+)+/,
  /\bsudo\b/,
  /\bgit\s+(push\s+.*(--force|-f)\b|reset\s+--hard|clean\s+-\w*f)/,
  /\bmkfs\b|\bdd\s+.*\bof=/,
  /\b(curl|wget)\b.*\|\s*(ba|z)?sh\b/,
];

export default function (bough: ExtensionApi) {
  bough.on("tool_call", async (event, ctx) => {
    const { command } = event.input;
    if (event.toolName !== "bash" || typeof command !== "string") return;
    if (!DANGEROUS.some((pattern) => pattern.test(command))) return;
    if (!ctx.hasUi) return { block: true, reason: "This command needs a person's consent, and nobody is there." };
    // A question that fails is a no. Without the catch the call is blocked too, and this extension is reported.
    const allowed = await ctx.ui.confirm("Run this command?", command).catch(() => false);
    if (!allowed) return { block: true, reason: "The person does not want this command to run." };
    return;
  });
}
