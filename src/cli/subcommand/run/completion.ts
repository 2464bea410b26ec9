/** `bough completion`: a script for a shell, made from the table of subcommands. */
import { listAllSessions, listSessions, sessionFolder } from "../../../session/index.js";
import { closestNames, firstWords } from "../../../text/index.js";
import { usageError } from "../../cli-error.js";
import { bashCompletion } from "../completion/bash-completion.js";
import { completionFacts } from "../completion/completion-facts.js";
import { fishCompletion } from "../completion/fish-completion.js";
import { zshCompletion } from "../completion/zsh-completion.js";
import type { SubcommandCall } from "../subcommand.js";

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;
type Shell = keyof typeof SHELLS;
/** What the scripts ask for when someone presses Tab. */
const SESSIONS = "sessions";
const MOST_SESSIONS = 200;

export async function run(call: SubcommandCall): Promise<number> {
  const [shell = ""] = call.args;
  if (shell === SESSIONS) {
    await call.out.raw(await sessionWords(call));
    return 0;
  }
  if (!Object.hasOwn(SHELLS, shell)) {
    const [near] = closestNames(shell, Object.keys(SHELLS));
    const meant = near === undefined ? "" : `; did you mean ${near}?`;
    throw usageError(`No completion for ${shell}${meant}`, "Choose one of bash, zsh, fish.");
  }
  const script = SHELLS[shell as Shell](completionFacts(call.commands));
  if (call.out.json) call.out.value({ shell, script });
  else await call.out.raw([script]);
  return 0;
}

/** `id<tab>name` of the sessions of this folder, or of all if it has none. */
async function sessionWords({ places }: SubcommandCall): Promise<string[]> {
  const here = await listSessions(places.dir ?? sessionFolder(places.cwd));
  const sessions = here.length > 0 || places.dir !== undefined ? here : await listAllSessions();
  return sessions
    .filter(({ id }) => /^[\w.-]+$/.test(id))
    .slice(0, MOST_SESSIONS)
    .map(({ id, name, firstMessage }) => `${id}\t${firstWords(name ?? firstMessage, 60)}\n`);
}
