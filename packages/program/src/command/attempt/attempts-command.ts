/** /attempts: the attempts of this session; keep, stop or message one. */
import type { Attempt } from "@bough/agent/agent/index.js";
import { findAttempt, isEnded, rankAttempts } from "@bough/agent/agent/internal.js";
import { defined } from "@bough/session/text/index.js";
import { attemptCells, attemptStep, keptSentences } from "@bough/session/view/internal.js";
import { wrongArguments } from "../arguments.js";
import type { Command, CommandContext, CommandOutcome } from "../command.js";
import { matching } from "../completions.js";
import { conflictsNotice } from "../files/file-sentences.js";
import { decideBroughtFiles } from "../merge/decide-brought-files.js";
import { asOutcome, shownOr, unchanged } from "../outcome.js";
import { SENTENCES } from "../sentences.js";

const VERBS = ["keep", "stop", "message"] as const;

export const ATTEMPTS_COMMAND: Command = {
  name: "attempts",
  group: "tree",
  usage: "[keep|stop|message <attempt> [text]]",
  summary: "Show attempts of this session; keep, stop or message one",
  details:
    "Without arguments, lists the attempts with what they do, what they used, and how their check ended. keep moves to the end of one and brings its file changes to the files as they are now; you are asked about files that both sides changed. stop ends one, or all. message sends a text to a running one. The others stay as branches.",
  complete: async ({ agent }, typed) => {
    const names = (await agent.listAttempts()).map(({ name, state }) => ({ value: name, description: state }));
    if (VERBS.some((verb) => typed.startsWith(`${verb} `))) return matching(names.toReversed(), typed);
    return matching(
      VERBS.map((value) => ({ value })),
      typed,
    );
  },
  run: (context, args) => asOutcome(() => run(context, args)),
};

async function run(context: CommandContext, args: string): Promise<CommandOutcome> {
  const { agent } = context;
  const [, verb, name, text = ""] = /^\s*(\S+)?\s*(\S+)?\s*([\s\S]*)$/.exec(args) ?? [];
  const attempts = await agent.listAttempts();
  if (verb === undefined) return shownOr(context, { screen: "attempts" }, () => listing(attempts));
  if (!VERBS.some((one) => one === verb)) throw wrongArguments(`Expected one of ${VERBS.join(", ")}`);
  if (verb === "stop") return stopAttempts(context, name);
  if (name === undefined) throw wrongArguments("Expected the name of an attempt");
  const attempt = findAttempt(attempts, name);
  return verb === "keep" ? keepAttemptHere(context, attempt) : messageAttempt(context, attempt, text);
}

function listing(attempts: readonly Attempt[]): CommandOutcome {
  if (attempts.length === 0)
    return unchanged({ message: "No attempts in this session.", hint: "Start some with /try 3 ..." });
  const lines = attempts.map((attempt) => {
    const { name, driver, check, changes, cost, time } = attemptCells(attempt);
    const facts = [check === "" ? "" : `check ${check}`, changes, cost, time].filter((one) => one !== "");
    return `${name}  ${driver}  ${attemptStep(attempt)}${facts.length === 0 ? "" : `  ${facts.join(" · ")}`}`;
  });
  return { kind: "done", message: lines.join("\n"), data: { attempts } };
}

/** Undefined: all. */
export async function stopAttempts({ agent }: CommandContext, name: string | undefined): Promise<CommandOutcome> {
  const wanted = name === undefined ? undefined : findAttempt(await agent.listAttempts(), name).name;
  const running = agent.attemptRuns.flatMap(({ attempts }) => attempts).filter((one) => !isEnded(one));
  const stopped = running.filter((one) => wanted === undefined || one.name === wanted);
  if (stopped.length === 0)
    return unchanged(wanted === undefined ? "No attempt is running." : `${wanted} is not running here.`);
  await Promise.all(agent.attemptRuns.map((one) => one.stop(wanted)));
  return { kind: "done", message: `Stopped ${stopped.map((one) => one.name).join(", ")}.` };
}

export async function messageAttempt(
  { agent }: CommandContext,
  { name }: Attempt,
  text: string,
): Promise<CommandOutcome> {
  if (text.trim() === "") throw wrongArguments("Expected a text");
  for (const run of agent.attemptRuns) {
    if (run.attempts.some((one) => one.name === name) && (await run.message(name, text))) {
      return { kind: "done", message: `Sent to ${name}: delivered after its current step.` };
    }
  }
  return unchanged(`${name} is not running here.`);
}

/** Asks about files first, as a merge does. */
export async function keepAttemptHere(context: CommandContext, attempt: Attempt): Promise<CommandOutcome> {
  const { agent } = context;
  const { name } = attempt;
  if (!isEnded(attempt))
    return unchanged({ message: `${name} is still running.`, hint: `Stop it first: /attempts stop ${name}` });
  const plan = async () => {
    const made = await agent.planKeepAttempt(name);
    if (made === undefined) throw new Error("bug: files are recorded, but were not planned");
    return made;
  };
  const files = agent.followsFiles
    ? await decideBroughtFiles(context, { about: "merge", target: name, wanted: "follow", plan })
    : ({ files: "stay" } as const);
  if (files === undefined) return unchanged(SENTENCES.stayed);
  const kept = await agent.keepAttempt(name, { ...files, files: "follow" });
  switch (kept.kind) {
    case "cancelled":
      return unchanged("An extension stopped it. Nothing was changed.");
    case "conflicts":
      return unchanged(conflictsNotice(kept.conflicts), "merge-conflicts");
    case "done": {
      for (const one of agent.attemptRuns) if (one.isOver) one.removeFolders();
      const [message = "", ...more] = keptSentences({
        name,
        ...defined({ files: kept.files }),
        installs: kept.installs,
      });
      const others = rankAttempts(await agent.listAttempts()).filter((one) => one.tryId === attempt.tryId).length - 1;
      const rest =
        others > 0 ? [`The other ${others === 1 ? "one stays as a branch" : `${others} stay as branches`}.`] : [];
      return {
        kind: "done",
        message,
        hint: [...more, ...rest, "/undo goes back."].join(" "),
        data: { name, tipId: attempt.tipId, installs: kept.installs, ...defined({ files: kept.files }) },
      };
    }
  }
}
