/** `bough handoff`: writes a path as a new transcript of another agent, and prints the command that resumes it. */

import { resolve } from "node:path";
import { AGENT_NAMES, AGENT_TITLES, type AgentName } from "@bough/session/entry/index.js";
import { isFolder } from "@bough/session/log/index.js";
import { closestNames, noticeText } from "@bough/session/text/index.js";
import { findEntry } from "@bough/workbench/find/index.js";
import {
  endsOnSentence,
  handedOffNotice,
  handoffFacts,
  handoffPlanLines,
  type PlannedHandoff,
  performHandoff,
  planHandoff,
} from "@bough/workbench/interop/internal.js";
import { usageError } from "../../cli-error.js";
import { openToLook } from "../open-to-look.js";
import { sessionArgument } from "../session-argument.js";
import { type SessionFacts, sessionFacts } from "../session-facts.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";
import { askEnter, canAsk } from "./confirm.js";

export const row: SubcommandRow = {
  name: "handoff",
  usage: "<agent> [session[#entry]]",
  summary: "Convert a path to a session another agent can resume",
  details:
    "Writes the path up to the entry (default: the current position) as a new transcript for claude-code, codex, opencode, gemini or pi, in that agent's own session folder, and prints the command that resumes it. Name a branch by its number in bough tree: session#2. Other agents' sessions can be handed off too. If the target cannot store something, that is listed and asked about; without a terminal or with --json it needs --yes. Nothing is overwritten.",
  flags: {
    to: { value: "folder", help: "folder to resume in (default: the session's folder)" },
    report: { help: "list every entry the target cannot store as is" },
    "dry-run": { help: "report what would be written, without writing" },
    yes: { short: "y", help: "write without what the target cannot store" },
  },
  examples: [
    ["handoff codex", "continue the last session here in Codex"],
    ["handoff codex 4f2a#2", "branch 2 of a session, as numbered by bough tree"],
    ["handoff claude-code 4f2a#before-rewrite", "the path to a label"],
    ["handoff pi codex:01a1de66 --dry-run", "from Codex to pi; show what would be lost"],
  ],
  json: '{ "session": { id, path, name, leafId }, "entryId", "agent", "file": path, "written": boolean, "sessionId", "records", "losses": [{ entryId, what, effect }], "leftOut": [{ entryId, what, effect }], "resume": { command: [...], before?: [...], cwd, shell } }',
  args: { least: 1, most: 2 },
  completes: AGENT_NAMES,
};

export async function run(call: SubcommandCall): Promise<number> {
  const { args, flags, places, signal, now } = call;
  const agent = agentNamed(args[0] as string);
  const argument = await sessionArgument(args[1], places, { signal });
  const looked = await openToLook(argument, call, "keep");
  try {
    const { session, foreign } = looked;
    const entryId = argument.place === undefined ? undefined : findEntry(session, argument.place);
    const to = flags.text("to");
    const folder = to === undefined ? undefined : resolve(to);
    if (folder !== undefined && !isFolder(folder)) {
      throw usageError(`Folder not found: ${folder}`, "--to takes a folder that exists.");
    }
    const planned = await planHandoff({ session, agent, entryId, folder, now });
    // Keep the session open: its entries are read again during writing.
    return await writePlanned(planned, { call, session: sessionFacts(session, foreign) });
  } finally {
    looked.close();
  }
}

interface Told {
  readonly call: SubcommandCall;
  readonly session: SessionFacts;
}

async function writePlanned(planned: PlannedHandoff, { call, session }: Told): Promise<number> {
  const { flags, out, signal } = call;
  const { plan, lastPrompt } = planned;
  const dryRun = flags.isOn("dry-run");
  const isReport = flags.isOn("report");
  if (!out.json && (plan.losses.length > 0 || (isReport && plan.leftOut !== undefined))) {
    for (const line of handoffPlanLines(plan, { entries: isReport ? "all" : "counts" })) out.notice(line);
  }
  if (!dryRun) {
    const ask = canAsk() && !out.json ? () => askEnter(QUESTION, call) : undefined;
    signal.throwIfAborted();
    if ((await performHandoff(planned, { agreed: flags.isOn("yes"), ask })) === "declined") {
      out.notice("Nothing was written.");
      return 1;
    }
  }
  if (out.json) out.value({ ...handoffFacts(planned, dryRun ? "planned" : "written"), session });
  else if (dryRun) {
    out.line(`Would write ${plan.lines.length} records for ${AGENT_TITLES[plan.agent]} to ${plan.path}`);
    out.line(endsOnSentence(lastPrompt));
  } else await out.lines(noticeText(handedOffNotice(plan, lastPrompt)).split("\n"));
  return 0;
}

const QUESTION = { question: "Everything else is included.", enter: "writes", esc: "leaves it" };

function agentNamed(name: string): AgentName {
  const known = AGENT_NAMES;
  const exact = known.find((agent) => agent === name);
  if (exact !== undefined) return exact;
  // Its program is called `claude`, so many people call the agent that.
  const [guess] = closestNames(name.toLowerCase(), [...known, "claude"]);
  const near = guess === "claude" ? "claude-code" : guess;
  throw usageError(
    `Unknown agent ${name}${near === undefined ? "" : `; did you mean ${near}?`}`,
    `Choose one of ${known.join(", ")}: bough handoff ${near ?? known[0]}`,
  );
}
