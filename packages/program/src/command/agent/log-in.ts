/** Logs in to another agent, with its own command in this terminal. Bough sees neither keys nor tokens. */
import type { CommandContext, CommandOutcome } from "../command.js";
import { unchanged } from "../outcome.js";

/** Asks first. `done` if the command succeeded. */
export async function logInToAgent({ front }: CommandContext, name: string): Promise<CommandOutcome> {
  const { knownAgent } = await import("@bough/agent/driver/index.js");
  const { title, login } = knownAgent(name);
  if (login === undefined) return unchanged(`${title} has no command to log in. Log in with its own program.`);
  if (front.runInTerminal === undefined || front.confirm === undefined) {
    return unchanged({ message: `${title} needs its own login.`, hint: `In a terminal, run: ${login}` });
  }
  const lines = [`Its own program runs in this terminal: ${login}`];
  const question = { title: `Log in to ${title}?`, lines, yes: "run it", no: "not now" };
  if (!(await front.confirm(question))) {
    return unchanged({ message: `Not logged in to ${title}.`, hint: `To log in: ${login}` });
  }
  const code = await front.runInTerminal(login.split(" "));
  if (code === 0) return { kind: "done", message: `Left ${login}.`, data: { agent: name } };
  return unchanged({ message: `${login} ended with code ${code}.`, hint: "Try it in another terminal." });
}
