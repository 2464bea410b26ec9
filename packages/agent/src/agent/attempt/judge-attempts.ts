/** Asks a model which attempt is the best. */
import type { EntryId } from "@bough/session/entry/index.js";
import { isRecord, parsedJson } from "@bough/session/text/index.js";
import { AgentError } from "../agent-error.js";
import type { AgentParts, OperationOptions } from "../agent-parts.js";
import { diffAgentFiles } from "../files/diff-files.js";
import { requireModel, withCost } from "../turn/stream-step.js";
import type { Attempt } from "./attempt.js";
import { JUDGED_TYPE, tryAt } from "./attempt-entries.js";
import { appendBelow } from "./attempt-run.js";

export interface Judgement {
  /** The name of the attempt. */
  readonly best: string;
  readonly reason: string;
}

/** Of one attempt, so that many fit into the window. */
const MOST_DIFF = 24_000;
const MOST_ANSWER = 3000;

const SYSTEM = `You compare attempts of coding agents at one task. Judge whether each does what was asked, whether it is correct and complete, and how simple it is. The results of checks are facts; what an attempt says about itself is not. Answer with JSON only: {"best": "<name of the attempt>", "reason": "<at most four sentences that name the differences that decided>"}`;

/** The answer is recorded in the session, below the entry the attempts branch from. Throws `judge-failed`, `no-model`. */
export async function judgeAttempts(
  parts: AgentParts,
  attempts: readonly Attempt[],
  { signal }: OperationOptions,
): Promise<Judgement> {
  const [first] = attempts;
  if (first === undefined) throw failed("there are no attempts");
  const model = requireModel(parts);
  const sections = [`# Task\n\n${tryAt(parts.session, first.tryId)?.prompt ?? ""}`];
  for (const attempt of attempts) sections.push(await section(parts, attempt, signal));
  const now = () => parts.now().getTime();
  const content = sections.join("\n\n");
  const messages = [{ role: "user", content, timestamp: now() }] as const;
  for await (const event of model.stream(
    { system: SYSTEM, messages, tools: [], thinkingLevel: "off" },
    { signal, now },
  )) {
    if (event.type !== "end") continue;
    const message = withCost(event.message, model.info);
    const { provider, model: name, usage } = message;
    const id = parts.session.appendUsage({ kind: "judge", provider, model: name, usage });
    parts.emit({ type: "entries", ids: [id] });
    if (event.failure !== undefined) throw failed(event.failure.message);
    const text = message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
    const judged = judgementIn(text, attempts);
    if (judged === undefined) throw failed("the answer names no attempt");
    appendBelow(parts.session, first.tryId, JUDGED_TYPE, { v: 1, ...judged, model: `${provider}/${name}` });
    parts.session.recordPosition();
    return judged;
  }
  throw failed("the model ended without an answer");
}

function failed(reason: string): AgentError {
  return new AgentError("judge-failed", `The attempts could not be judged: ${reason}`, {
    hint: "They are ranked without it.",
  });
}

async function section(parts: AgentParts, attempt: Attempt, signal: AbortSignal): Promise<string> {
  const { name, state, check, tryId, tipId } = attempt;
  const lines = [`# ${name}`, "", `Ended: ${state}`];
  if (check !== undefined) {
    lines.push(
      `Check \`${check.command}\`: ${check.passed ? "passed" : `failed (${check.problem ?? `exit code ${check.exitCode}`})`}`,
    );
    if (!check.passed) lines.push("```", ...check.last, "```");
  }
  lines.push("", "## What it said", "", lastAnswer(parts, tipId).slice(-MOST_ANSWER), "", "## What it changed", "");
  let diff = "";
  try {
    const { files } = await diffAgentFiles(parts, { from: tryId, to: tipId, signal });
    for await (const file of files) {
      diff += `${file.change} ${file.path}\n${"hunks" in file ? file.hunks : ""}\n`;
      if (diff.length > MOST_DIFF) break;
    }
  } catch {
    diff = "(not recorded)";
  }
  const isCut = diff.length > MOST_DIFF;
  lines.push("```diff", diff.slice(0, MOST_DIFF), "```", ...(isCut ? ["(the rest of the changes is left out)"] : []));
  return lines.join("\n");
}

function lastAnswer({ session }: AgentParts, tipId: EntryId): string {
  for (const entry of session.getBranch(tipId).toReversed()) {
    if (entry.type !== "message" || entry.message.role !== "assistant") continue;
    const text = entry.message.content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
    if (text.trim() !== "") return text;
  }
  return "(nothing)";
}

/** Models put JSON into fences, or a sentence before it. */
export function judgementIn(text: string, attempts: readonly Pick<Attempt, "name">[]): Judgement | undefined {
  const value = parsedJson(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
  if (!isRecord(value) || typeof value.best !== "string") return undefined;
  const wanted = value.best.trim();
  const best = attempts.find(({ name }) => name === wanted || name === `attempt-${wanted}`)?.name;
  return best === undefined ? undefined : { best, reason: typeof value.reason === "string" ? value.reason : "" };
}
