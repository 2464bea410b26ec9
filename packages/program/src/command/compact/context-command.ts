/** /context: what the model sees. */
import {
  type CachedPrompt,
  cachedPrompt,
  estimateMessageTokens,
  estimateTextTokens,
  type ServerShare,
  serverShares,
} from "@bough/agent/agent/internal.js";
import { counted, shortCount } from "@bough/session/text/index.js";
import { readArguments, wrongArguments } from "../arguments.js";
import { cannotMove } from "../availability.js";
import type { Command, CommandContext, CommandOutcome } from "../command.js";
import { choices, placeCompletions } from "../completions.js";
import { titleOfEntry } from "../entry-title.js";
import { shownOr, unchanged } from "../outcome.js";
import { resolveReference } from "../reference.js";
import { SENTENCES } from "../sentences.js";

export const CONTEXT_COMMAND: Command = {
  name: "context",
  group: "context",
  usage: "[drop|restore <id|label>]",
  summary: "Show what the model sees, by size",
  details:
    "drop hides an entry of this path from the model; restore shows it again. The file keeps the original either way.",
  complete: (context, typed) =>
    typed.includes(" ") ? placeCompletions(context, typed) : choices(["drop", "restore"], typed),
  async run(context, args) {
    const { words } = readArguments(args, { most: 2 });
    const [what, reference] = words;
    if (what !== undefined) return changed(context, what, reference);
    return shownOr(context, { screen: "context" }, () => contextListing(context));
  },
};

async function changed(context: CommandContext, what: string, reference: string | undefined): Promise<CommandOutcome> {
  if (reference === undefined || (what !== "drop" && what !== "restore")) {
    throw wrongArguments("Expected drop or restore, and an entry");
  }
  const reason = cannotMove(context);
  if (reason !== undefined) return unchanged(reason, "unavailable");
  const entryId = resolveReference(context, reference);
  const title = titleOfEntry(context.agent.session, entryId);
  const edit = { kind: what === "drop" ? "leave-out" : "original" } as const;
  const written = await context.agent.editContext(entryId, edit);
  if (written === undefined) return unchanged(SENTENCES.contextUnchanged);
  const message =
    what === "drop" ? `"${title}" is now hidden from the model.` : `"${title}" is shown to the model again.`;
  return { kind: "done", message, data: { entryId } };
}

function contextListing({ agent }: CommandContext): CommandOutcome {
  const { messages } = agent.session.buildSessionContext();
  const system = estimateTextTokens(agent.systemPrompt);
  let tools = 0;
  for (const { name, description, parameters } of agent.tools) {
    tools += estimateTextTokens(`${name}${description}${JSON.stringify(parameters)}`);
  }
  const servers = serverShares(agent);
  const byRole = new Map<string, { count: number; tokens: number }>();
  for (const message of messages) {
    const sum = byRole.get(message.role) ?? { count: 0, tokens: 0 };
    sum.count += 1;
    sum.tokens += estimateMessageTokens(message);
    byRole.set(message.role, sum);
  }
  const roles = [...byRole].map(([role, sum]) => ({ role, ...sum })).sort((a, b) => b.tokens - a.tokens);
  const total = roles.reduce((sum, { tokens }) => sum + tokens, system + tools);
  const window = agent.contextWindow ?? 0;
  const share = window > 0 ? ` of ${shortCount(window)}` : "";
  const lines = [
    `About ${shortCount(total)}${share} tokens`,
    `  system prompt  ${shortCount(system)}`,
    `  ${counted(agent.tools.length, "tool")}  ${shortCount(tools)}`,
    ...servers.map((server) => `    ${serverWords(server)}`),
    ...roles.map(({ role, count, tokens }) => `  ${roleWords(role, count)}  ${shortCount(tokens)}`),
  ];
  const last = lastRequest(agent.session);
  if (last !== undefined) {
    const share = `${Math.round(last.share * 100)}% cached`;
    lines.push(`Last request: ${shortCount(last.cached)} cached, ${shortCount(last.fresh)} fresh (${share})`);
  }
  return {
    kind: "done",
    message: lines.join("\n"),
    data: { total, window, system, tools, servers, roles, cache: last ?? null },
  };
}

/** "files: 14 tools  1.9k" or "office: 336 tools found by search  0 (73k not sent)". */
function serverWords({ name, sent, searched }: ServerShare): string {
  const parts = [
    ...(sent.tools > 0 ? [counted(sent.tools, "tool")] : []),
    ...(searched.tools > 0 ? [`${counted(searched.tools, "tool")} found by search`] : []),
  ];
  const kept = searched.tokens > 0 ? ` (${shortCount(searched.tokens)} not sent)` : "";
  return `${name}: ${parts.join(", ")}  ${shortCount(sent.tokens)}${kept}`;
}

const LOOKED_AT = 200;

/** What the last answer on the path says about the provider's cache. */
function lastRequest(session: CommandContext["agent"]["session"]): CachedPrompt | undefined {
  const { tree, leaf, entryAt } = session.getSource();
  for (let at = leaf, looked = 0; at >= 0 && looked < LOOKED_AT; at = tree.parentOf(at), looked++) {
    const entry = entryAt(at);
    if (entry.type === "message" && entry.message.role === "assistant") return cachedPrompt(entry);
  }
  return undefined;
}

const ROLES: Readonly<Record<string, readonly [one: string, many: string]>> = {
  user: ["prompt", "prompts"],
  assistant: ["answer", "answers"],
  toolResult: ["tool result", "tool results"],
  bashExecution: ["command you ran", "commands you ran"],
  branchSummary: ["branch summary", "branch summaries"],
  compactionSummary: ["compaction summary", "compaction summaries"],
  custom: ["extension message", "extension messages"],
};

/** "2 answers"; an unknown role is named as it is. */
function roleWords(role: string, count: number): string {
  const [one, many] = ROLES[role] ?? [`message of ${role}`, `messages of ${role}`];
  return counted(count, one, many);
}
