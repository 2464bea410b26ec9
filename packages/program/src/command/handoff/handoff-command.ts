/** /handoff: this path as a transcript that another agent continues with. */

import { resolve } from "node:path";
import { AGENT_NAMES, type AgentName } from "@bough/session/entry/index.js";
import { closestNames } from "@bough/session/text/index.js";
import {
  type HandoffRequest,
  handedOffNotice,
  handoffFacts,
  handoffPlanLines,
  NEEDS_YES,
  performHandoff,
  planHandoff,
} from "@bough/workbench/interop/internal.js";
import { readArguments, wrongArguments } from "../arguments.js";
import { empty, unless, working } from "../availability.js";
import type { Command, CommandContext, CommandOutcome } from "../command.js";
import { matching, placeCompletions } from "../completions.js";
import { asOutcome, unchanged } from "../outcome.js";
import { resolveReference } from "../reference.js";
import { SENTENCES } from "../sentences.js";

export const HANDOFF_COMMAND: Command = {
  name: "handoff",
  group: "session",
  usage: "<claude-code|codex|opencode|gemini|pi> [id|label|#n] [--to <folder>] [--yes]",
  summary: "Hand this path over to another agent",
  details:
    "Writes the path to here, or to an entry, as a new transcript in the other agent's session folder, and prints the command that resumes it. If the other agent cannot store something, lists it and asks first; --yes skips the question. The other agent is resumed in the session's folder, or in the one --to names. No file is overwritten, and this session is unchanged.",
  async complete(context, typed) {
    if (/\S\s/.test(typed)) return placeCompletions(context, typed);
    const { WRITERS } = await import("@bough/workbench/interop/index.js");
    return matching(
      WRITERS.map(({ agent }) => ({ value: agent })),
      typed,
    );
  },
  unavailable: unless(empty, working),
  async run(context, args) {
    const { words, options, chosen } = readArguments(args, { least: 1, most: 2, options: ["--yes"], values: ["--to"] });
    const agent = agentNamed(words[0] as string);
    const entryId = words[1] === undefined ? undefined : resolveReference(context, words[1]);
    const to = chosen.get("--to");
    const folder = to === undefined ? undefined : resolve(context.cwd, to);
    return handOff(context, { agent, entryId, folder, agreed: options.has("--yes") });
  },
};

interface AgreedRequest extends Pick<HandoffRequest, "agent" | "entryId" | "folder"> {
  readonly agreed: boolean;
}

/** Lists what the other agent cannot store, and asks if the front end can. */
function handOff(context: CommandContext, { agreed, ...request }: AgreedRequest): Promise<CommandOutcome> {
  return asOutcome(async () => {
    const { agent, agentPlaces: places, now, front } = context;
    const planned = await planHandoff({ session: agent.session, ...request, places, now });
    const [title = "", ...lines] = handoffPlanLines(planned.plan);
    const { confirm } = front;
    if (planned.plan.losses.length > 0 && !agreed && confirm === undefined) {
      return unchanged({ message: [title, ...lines].join("\n"), hint: NEEDS_YES }, "needs-agreement");
    }
    const ask = confirm && (() => confirm({ title, lines, yes: "write it", no: "leave it" }));
    if ((await performHandoff(planned, { agreed, ask })) === "declined") return unchanged(SENTENCES.stayed);
    return {
      kind: "done",
      ...handedOffNotice(planned.plan, planned.lastPrompt),
      data: handoffFacts(planned, "written"),
    };
  });
}

function agentNamed(name: string): AgentName {
  const wanted = name.toLowerCase();
  const known = AGENT_NAMES.find((agent) => agent === wanted);
  if (known !== undefined) return known;
  const [near] = closestNames(wanted, AGENT_NAMES, { limit: 1 });
  throw wrongArguments(`Unknown agent ${name}${near === undefined ? "" : `; closest: ${near}`}`);
}
