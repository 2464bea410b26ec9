/** /try: several attempts at one prompt, at once. */
import type { Attempt, AttemptRun, TryOptions } from "@bough/agent/agent/index.js";
import { attemptMode, bestAttempt, isEnded } from "@bough/agent/agent/internal.js";
import { counted, defined, parseDuration } from "@bough/session/text/index.js";
import { wrongArguments } from "../arguments.js";
import type { Command, CommandContext, CommandOutcome } from "../command.js";
import { asOutcome, shown, unchanged } from "../outcome.js";

const OPTION = /(?:^|\s)--([a-z-]+)(?:=|\s+)("[^"]*"|'[^']*'|\S+)/g;
const OPTIONS = ["check", "models", "agents", "timeout", "max-cost", "setup"];

export const TRY_COMMAND: Command = {
  name: "try",
  group: "tree",
  usage: "[count] [--check command] [--models a,b] [--agents a,b] <prompt>",
  summary: "Work on a prompt several times at once",
  details:
    "Each attempt is a branch from here, in a folder of its own that starts exactly as the files are now. You can continue meanwhile; /attempts shows them. --check runs a command in each folder at the end, --timeout (such as 10m, for each) and --max-cost (in dollars, for all together) limit them. Keep one in /attempts: it brings its file changes.",
  unavailable: ({ agent }) =>
    agent.session.isPersisted() ? undefined : "Attempts need a session that is saved; this one is in memory.",
  run: (context, args) => asOutcome(() => run(context, args)),
};

async function run(context: CommandContext, args: string): Promise<CommandOutcome> {
  const { agent, front } = context;
  const { prompt, ...options } = readTry(args);
  await checkAgents(options.agents);
  const ask = context.permissions?.ask;
  const start = (signal: AbortSignal) =>
    agent.startAttempts(prompt, {
      ...options,
      // Who lets the agent run commands here lets attempts do so in their folders.
      permission: agent.permissionMode === "auto" ? "auto" : attemptMode(agent.permissionMode),
      ...defined({ ask, check: options.check ?? agent.settings.attempts?.check }),
      onProgress: (now) => {
        progress = now;
      },
      signal,
    });
  let progress = { done: 0, total: 0 };
  let started: AttemptRun;
  if (front.watch === undefined) started = await start(new AbortController().signal);
  else {
    const title = () =>
      `Copying files for the attempts${progress.total === 0 ? "" : `: ${progress.done} of ${progress.total}`}`;
    const made = await front.watch({ title, stops: "no attempt is started", work: start });
    if (made.kind === "stopped") return unchanged("No attempt was started.");
    started = made.value;
  }
  void started.done.then(({ attempts }) => front.tell(endedNotice(attempts), "good"));
  if (front.screens.has("attempts")) return shown(front, { screen: "attempts" });
  const { attempts } = started;
  return {
    kind: "done",
    message: `Started ${counted(attempts.length, "attempt")}: ${attempts.map(({ name }) => name).join(", ")}.`,
    hint: "/attempts shows them.",
    data: { tryId: started.tryId, attempts },
  };
}

function endedNotice(attempts: readonly Attempt[]) {
  const passed = attempts.filter(({ check }) => check?.passed === true).length;
  const checked = attempts.some(({ check }) => check !== undefined) ? `, ${passed} passed the check` : "";
  const best = bestAttempt(attempts);
  const ended = attempts.filter(isEnded).length;
  return {
    message: `${counted(ended, "attempt")} ended${checked}${best === undefined ? "" : `; best: ${best.name}`}.`,
    hint: "/attempts shows and keeps them.",
  };
}

/** Throws `wrong-arguments`. What is not an option stays in the prompt as it is. */
export function readTry(args: string): TryOptions & { readonly prompt: string } {
  const given = new Map<string, string>();
  const rest = args
    .replace(OPTION, (whole, name: string, value: string) => {
      if (!OPTIONS.includes(name)) return whole;
      given.set(name, value.replace(/^(["'])(.*)\1$/s, "$2"));
      return " ";
    })
    .trim();
  const [, count, prompt = ""] = /^(?:(\d{1,2})(?:\s+|$))?([\s\S]*)$/.exec(rest) ?? [];
  if (prompt === "") throw wrongArguments("Missing prompt");
  const [unknown] = /^--[a-z][a-z-]*/.exec(prompt) ?? [];
  if (unknown !== undefined) throw wrongArguments(`Unknown option ${unknown}`);
  const agents = namesIn(given.get("agents"));
  return {
    prompt,
    ...defined({
      count: count === undefined ? undefined : Number(count),
      check: given.get("check"),
      setup: given.get("setup"),
      models: namesIn(given.get("models")),
      agents,
      timeoutMs: durationIn(given, "timeout"),
      maxDollars: numberIn(given, "max-cost"),
    }),
  };
}

/** Throws `wrong-arguments`. What drives other agents is loaded only if one is named. */
async function checkAgents(agents: readonly string[] = []): Promise<void> {
  const others = agents.filter((name) => name !== "bough");
  if (others.length === 0) return;
  const { KNOWN_AGENTS } = await import("@bough/agent/driver/index.js");
  const known = KNOWN_AGENTS.map(({ name }) => name);
  const unknown = others.find((name) => !known.includes(name));
  if (unknown !== undefined) throw wrongArguments(`Unknown agent ${unknown}`, `Agents: bough, ${known.join(", ")}`);
}

function durationIn(given: ReadonlyMap<string, string>, name: string): number | undefined {
  const text = given.get(name);
  if (text === undefined) return undefined;
  const parsed = parseDuration(text);
  if ("problem" in parsed) throw wrongArguments(`Invalid value for --${name}: ${text}`, parsed.problem);
  return parsed.milliseconds;
}

function numberIn(given: ReadonlyMap<string, string>, name: string): number | undefined {
  const text = given.get(name);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isFinite(number) && number > 0) return number;
  throw wrongArguments(`--${name} needs a number above 0`);
}

function namesIn(list: string | undefined): readonly string[] | undefined {
  return list
    ?.split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
