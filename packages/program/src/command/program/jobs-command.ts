/** /jobs: commands that run in the background, and stopping them. */

import type { Job } from "@bough/agent/tool/index.js";
import { counted } from "@bough/session/text/index.js";
import { readArguments, wrongArguments } from "../arguments.js";
import type { Command, CommandContext, CommandOutcome } from "../command.js";
import { matching } from "../completions.js";
import { unchanged } from "../outcome.js";
import { shownCommand } from "./job-ended.js";

const NONE = "Nothing runs in the background.";

export const JOBS_COMMAND: Command = {
  name: "jobs",
  group: "program",
  usage: "[stop <number>|all]",
  summary: "List commands that run in the background, and stop them",
  details:
    "Without arguments, lists what the model started in the background and what a command left running, with the file that has the output. Everything still running is stopped when you quit.",
  unavailable: ({ agent }) => (agent.jobs === undefined ? "This program runs nothing in the background." : undefined),
  complete({ agent }, typed) {
    const running = (agent.jobs?.list ?? []).filter(({ state }) => state === "running");
    const all = running.length > 1 ? [{ value: "stop all", description: counted(running.length, "job") }] : [];
    return matching(
      [...all, ...running.map(({ id, command }) => ({ value: `stop ${id}`, description: shownCommand(command) }))],
      typed,
    );
  },
  async run(context, args) {
    const { words } = readArguments(args, { most: 2 });
    const [verb, which] = words;
    if (verb === undefined) return listing(context);
    if (verb !== "stop" || which === undefined) throw wrongArguments("Expected stop <number> or stop all");
    return stopped(context, which);
  },
};

function listing({ agent, now }: CommandContext): CommandOutcome {
  const list = agent.jobs?.list ?? [];
  if (list.length === 0) return { kind: "done", message: NONE, data: { jobs: [] } };
  const lines = list.flatMap((job) => [
    `  ${job.id}  ${stateOf(job, now().getTime())}  ${shownCommand(job.command)}`,
    ...(job.outputPath === undefined ? [] : [`       ${shownCommand(job.outputPath)}`]),
  ]);
  const runs = list.some(({ state }) => state === "running");
  const hint = runs ? { hint: "/jobs stop <number> stops one." } : {};
  return { kind: "done", message: ["Jobs:", ...lines].join("\n"), ...hint, data: { jobs: list } };
}

async function stopped({ agent }: CommandContext, which: string): Promise<CommandOutcome> {
  const running = (agent.jobs?.list ?? []).filter(({ state }) => state === "running");
  if (which === "all") {
    if (running.length === 0) return unchanged(NONE);
    await agent.jobs?.stopAll();
    return {
      kind: "done",
      message: `Stopped ${counted(running.length, "job")}.`,
      data: { stopped: running.map(({ id }) => id) },
    };
  }
  const job = running.find(({ id }) => String(id) === which);
  if (job === undefined) throw wrongArguments(`No running job has the number ${which}`);
  await agent.jobs?.stop(job.id);
  return { kind: "done", message: `Stopped: ${shownCommand(job.command)}`, data: { stopped: [job.id] } };
}

function stateOf({ state, outcome, startedAt }: Job, now: number): string {
  if (state !== "running") return outcome === undefined || state === "stopped" ? state : outcome;
  const seconds = Math.max(0, Math.round((now - startedAt) / 1000));
  return `running ${seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`}`;
}
