/** /handoff: this path as a transcript that another agent goes on with. */
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
  summary: "Write this path for another agent to continue",
  details:
    "Writes the path to here, or to an entry, as a new transcript of the other agent, where that agent looks for its own, and prints the command that resumes it. If the other agent cannot hold something, that is listed and you are asked first; --yes skips the question. No file is ever overwritten, and this session stays as it is.",
  async complete(world, typed) {
    if (/\S\s/.test(typed)) return placeCompletions(world, typed);
    const { WRITERS } = await loadInterop();
    return matching(
      WRITERS.map(({ agent }) => ({ value: agent })),
      typed,
    );
  },
  unavailable: unless(empty, working),
  async run(world, args) {
    const { words, options } = readArguments(args, { least: 1, most: 2, options: ["--yes"] });
    const agent = await agentNamed(words[0] as string);
    const entryId = words[1] === undefined ? undefined : resolveReference(world, words[1]);
    return handOff(world, { agent, entryId, agreed: options.has("--yes") });
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
