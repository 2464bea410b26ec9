/** Summaries written by a model, of a conversation to compact or of a branch that is left. */

import { estimateMessageTokens } from "@bough/agent/agent/internal.js";
import { entryMessage } from "@bough/session/context/index.js";
import { type AgentMessage, contentText, type SessionEntry, type Usage } from "@bough/session/entry/index.js";
import { defined } from "@bough/session/text/index.js";
import { completeSimple } from "../ai/ask-model.js";
import type { PiModel } from "../ai/pi-model.js";
import { convertToLlm, serializeConversation } from "./conversation.js";

const SYSTEM =
  "You summarize conversations between a user and a coding agent. Write the summary only; do not answer the conversation.";
const FORMAT = `Write a summary that lets another agent continue the work. Use these headings:

## Goal
## Constraints
## Done
## Open
## Decisions
## Next steps

Keep exact file paths, names and error messages.`;

interface SummaryRequest {
  readonly messages: readonly AgentMessage[];
  readonly model: PiModel;
  readonly apiKey?: string | undefined;
  readonly maxTokens?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly customInstructions?: string | undefined;
  readonly replaceInstructions?: boolean | undefined;
  readonly previousSummary?: string | undefined;
}

async function summarize(request: SummaryRequest): Promise<{ readonly text: string; readonly usage: Usage }> {
  const { messages, model, apiKey, maxTokens, signal, customInstructions, previousSummary } = request;
  const parts = [`<conversation>\n${serializeConversation(convertToLlm(messages))}\n</conversation>`];
  if (previousSummary !== undefined) parts.push(`<previous-summary>\n${previousSummary}\n</previous-summary>`);
  parts.push(request.replaceInstructions === true && customInstructions !== undefined ? customInstructions : FORMAT);
  if (previousSummary !== undefined) parts.push("Update the previous summary; keep what still applies.");
  if (request.replaceInstructions !== true && customInstructions) parts.push(`Also: ${customInstructions}`);
  const answer = await completeSimple(
    model,
    {
      systemPrompt: SYSTEM,
      messages: [{ role: "user", content: parts.join("\n\n"), timestamp: Date.now() } as AgentMessage],
    },
    defined({ apiKey, signal, maxTokens }),
  );
  if (answer.stopReason === "error" || answer.stopReason === "aborted") {
    throw new Error(answer.errorMessage ?? "The summary was stopped");
  }
  return { text: contentText(answer.content), usage: answer.usage };
}

type Headers = Readonly<Record<string, string>> | undefined;

/** Arguments in pi's order. `headers` come from the provider's settings, which are used anyway. */
export async function generateSummaryWithUsage(
  messages: readonly AgentMessage[],
  model: PiModel,
  reserveTokens: number,
  apiKey?: string,
  _headers?: Headers,
  signal?: AbortSignal,
  customInstructions?: string,
  previousSummary?: string,
): Promise<{ readonly text: string; readonly usage: Usage }> {
  const maxTokens = Math.floor(reserveTokens * 0.8);
  return summarize({ messages, model, apiKey, maxTokens, signal, customInstructions, previousSummary });
}

export async function generateSummary(...request: Parameters<typeof generateSummaryWithUsage>): Promise<string> {
  return (await generateSummaryWithUsage(...request)).text;
}

interface FileOperations {
  readonly read: Set<string>;
  readonly written: Set<string>;
  readonly edited: Set<string>;
}

interface CompactionPreparation {
  readonly firstKeptEntryId: string;
  readonly messagesToSummarize: readonly AgentMessage[];
  readonly turnPrefixMessages?: readonly AgentMessage[];
  readonly tokensBefore: number;
  readonly previousSummary?: string;
  readonly fileOps?: FileOperations;
  readonly settings?: { readonly reserveTokens: number };
}

/** Writes the summary of a prepared compaction, for the session to keep. */
export async function compact(
  preparation: CompactionPreparation,
  model: PiModel,
  apiKey?: string,
  headers?: Headers,
  customInstructions?: string,
  signal?: AbortSignal,
): Promise<{
  readonly summary: string;
  readonly firstKeptEntryId: string;
  readonly tokensBefore: number;
  readonly details: unknown;
  readonly usage: Usage;
}> {
  const { firstKeptEntryId, tokensBefore, previousSummary, settings, fileOps } = preparation;
  const messages = [...preparation.messagesToSummarize, ...(preparation.turnPrefixMessages ?? [])];
  const reserve = settings?.reserveTokens ?? 16_384;
  const written = await generateSummaryWithUsage(
    messages,
    model,
    reserve,
    apiKey,
    headers,
    signal,
    customInstructions,
    previousSummary,
  );
  const details = fileLists(fileOps ?? fileOperations(messages));
  return { summary: written.text, firstKeptEntryId, tokensBefore, details, usage: written.usage };
}

/** The files that the calls in these messages read, wrote and edited. */
export function fileOperations(messages: readonly AgentMessage[]): FileOperations {
  const files: FileOperations = { read: new Set(), written: new Set(), edited: new Set() };
  for (const message of messages) {
    if (message.role !== "assistant") continue;
    for (const block of message.content) {
      if (block.type !== "toolCall" || typeof block.arguments?.path !== "string") continue;
      if (block.name === "read") files.read.add(block.arguments.path);
      else if (block.name === "write") files.written.add(block.arguments.path);
      else if (block.name === "edit") files.edited.add(block.arguments.path);
    }
  }
  return files;
}

function fileLists({ read, written, edited }: FileOperations) {
  const modifiedFiles = [...new Set([...written, ...edited])].sort();
  return { readFiles: [...read].filter((file) => !modifiedFiles.includes(file)).sort(), modifiedFiles };
}

interface ReadSession {
  getBranch(fromId?: string): readonly SessionEntry[];
}

/** The entries left behind when moving from one entry to another, oldest first. */
export function collectEntriesForBranchSummary(
  session: ReadSession,
  oldLeafId: string | null,
  targetId: string,
): { readonly entries: readonly SessionEntry[]; readonly commonAncestorId: string | null } {
  if (oldLeafId === null) return { entries: [], commonAncestorId: null };
  const kept = new Set(session.getBranch(targetId).map(({ id }) => id));
  const path = session.getBranch(oldLeafId);
  const shared = path.findLast(({ id }) => kept.has(id));
  return { entries: path.filter(({ id }) => !kept.has(id)), commonAncestorId: shared?.id ?? null };
}

/** The newest messages that fit into the token budget; 0 means no limit. */
export function prepareBranchEntries(entries: readonly SessionEntry[], tokenBudget = 0) {
  const messages: AgentMessage[] = [];
  let totalTokens = 0;
  for (const entry of entries.toReversed()) {
    const message = entryMessage(entry);
    if (message === null) continue;
    const tokens = estimateMessageTokens(message);
    if (tokenBudget > 0 && totalTokens + tokens > tokenBudget) break;
    messages.unshift(message);
    totalTokens += tokens;
  }
  return { messages, fileOps: fileOperations(messages), totalTokens };
}

interface BranchSummaryOptions {
  readonly model: PiModel;
  readonly apiKey?: string;
  readonly signal: AbortSignal;
  readonly customInstructions?: string;
  readonly replaceInstructions?: boolean;
  readonly reserveTokens?: number;
}

/** Never throws: a failure is returned as `error` or `aborted`. */
export async function generateBranchSummary(entries: readonly SessionEntry[], options: BranchSummaryOptions) {
  const { model, reserveTokens = 16_384, signal } = options;
  const { messages, fileOps } = prepareBranchEntries(entries, Math.max(0, model.contextWindow - reserveTokens));
  try {
    const { text, usage } = await summarize({ ...options, messages, maxTokens: 2048 });
    return { summary: text, usage, ...fileLists(fileOps) };
  } catch (error) {
    return signal.aborted ? { aborted: true } : { error: (error as Error).message };
  }
}
