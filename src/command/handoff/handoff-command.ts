/** /handoff: this path as a transcript that another agent continues with. */
import type { AgentName } from "../../interop/index.js";
import { closestNames } from "../../text/index.js";
import { readArguments, wrongArguments } from "../arguments.js";
import { empty, unless, working } from "../availability.js";
import type { Command } from "../command.js";
import { matching, placeCompletions } from "../completions.js";
import { loadInterop } from "../foreign/load-interop.js";
import { resolveReference } from "../reference.js";
import { handOff } from "./handoff-session.js";

export const HANDOFF_COMMAND: Command = {
  name: "handoff",
  group: "session",
  usage: "<claude-code|codex|opencode|gemini|pi> [id|label|#n] [--yes]",
  summary: "Hand this path over to another agent",
  details:
    "Writes the path to here, or to an entry, as a new transcript in the other agent's session folder, and prints the command that resumes it. If the other agent cannot store something, lists it and asks first; --yes skips the question. No file is overwritten, and this session is unchanged.",
  async complete(context, typed) {
    if (/\S\s/.test(typed)) return placeCompletions(context, typed);
    const { WRITERS } = await loadInterop();
    return matching(
      WRITERS.map(({ agent }) => ({ value: agent })),
      typed,
    );
  },
  unavailable: unless(empty, working),
  async run(context, args) {
    const { words, options } = readArguments(args, { least: 1, most: 2, options: ["--yes"] });
    const agent = await agentNamed(words[0] as string);
    const entryId = words[1] === undefined ? undefined : resolveReference(context, words[1]);
    return handOff(context, { agent, entryId, agreed: options.has("--yes") });
  },
};

async function agentNamed(name: string): Promise<AgentName> {
  const { AGENT_NAMES } = await loadInterop();
  const wanted = name.toLowerCase();
  const known = AGENT_NAMES.find((agent) => agent === wanted);
  if (known !== undefined) return known;
  const [near] = closestNames(wanted, AGENT_NAMES, { limit: 1 });
  throw wrongArguments(`Unknown agent ${name}${near === undefined ? "" : `; closest: ${near}`}`);
}
