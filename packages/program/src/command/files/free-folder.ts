/** Files must not change under an agent that still works in the folder after its turn: the user is asked what to do. */
import type { CommandContext } from "../command.js";

/**
 * `free`: nothing works in the folder any more, and files may differ from what they were. `without`: the move leaves
 * files alone. `unasked`: no one can be asked, so the agent refuses.
 */
export type FreeFolder = "free" | "without" | "stay" | "unasked";

/** Call it while an agent works, and only if files would change. */
export async function freeFolder(
  { agent, front, ui }: CommandContext,
  { about }: { readonly about: "move" | "restore" },
): Promise<FreeFolder> {
  const work = agent.driverWork;
  if (work === undefined) return "free";
  if (ui === undefined || front.askFiles === undefined) return "unasked";
  const options = about === "move" ? [STOP, WAIT, WITHOUT] : [STOP, WAIT];
  const answer = await ui.select(`${work.title} is still working in this folder. Restore files anyway?`, options);
  if (answer === WITHOUT) return "without";
  if (answer === STOP) {
    await work.stop();
    return "free";
  }
  if (answer !== WAIT) return "stay";
  if (front.watch === undefined) {
    await work.done(new AbortController().signal);
    return "free";
  }
  const title = () => `Waiting for ${work.title}`;
  const waited = await front.watch({ title, stops: "nothing changes", work: (signal) => work.done(signal) });
  return waited.kind === "done" ? "free" : "stay";
}

const STOP = "Stop it, then restore";
const WAIT = "Wait until it is done, then restore";
const WITHOUT = "Move without files";
