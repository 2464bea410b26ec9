/** `bough try`: several attempts at one prompt, at once. */
import type { Attempt, KeepOutcome, TryOptions } from "@bough/agent/agent/index.js";
import { bestAttempt, findAttempt, isEnded, rankAttempts } from "@bough/agent/agent/internal.js";
import { KNOWN_AGENTS } from "@bough/agent/driver/index.js";
import type { PermissionMode } from "@bough/agent/tool/index.js";
import { boughHome } from "@bough/session/session/index.js";
import { defined, errorText, grouped, noticeLine } from "@bough/session/text/index.js";
import { cleanFolders } from "@bough/workbench/folder/index.js";
import { usageError } from "../../cli-error.js";
import type { SessionChoice } from "../../cli-options.js";
import { EXITS } from "../../exit-codes.js";
import { runLimits } from "../../run-flags.js";
import { startAgent } from "../../start/start-agent.js";
import { StatusLine } from "../status-line.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";
import { attemptLine, attemptRow, keptLines, nextLines, stepWords } from "./attempt-lines.js";
import { quietFront } from "./quiet-front.js";
import { terminalQuestions } from "./terminal-questions.js";

export const row: SubcommandRow = {
  name: "try",
  usage: "<prompt>",
  summary: "Work on a prompt several times at once, check, compare, and keep one",
  details:
    "Each attempt is a branch of one session, in a folder of its own that starts exactly as the files are now, with uncommitted, untracked and chosen ignored files. --check runs a command in each folder at the end. Attempts are ranked by the check, passed tests, the size of the change, cost and time. The others stay as branches; their folders are removed. See docs/attempts.md.",
  flags: {
    number: {
      short: "n",
      value: "count",
      help: "how many attempts (default: one for each model or agent, otherwise 3)",
    },
    check: { value: "command", help: "run this in each folder at the end, such as 'npm test'" },
    models: { value: "names", help: "comma-separated models, used in turn" },
    agents: {
      value: "names",
      help: "comma-separated agents, used in turn: bough, claude, codex, opencode, gemini, pi",
    },
    keep: { value: "best", choices: ["best"], help: "keep the best one that passed the check" },
    judge: { help: "also ask the model which is best, and show its reason" },
    "max-cost": { value: "dollars", help: "stop all when this is spent" },
    timeout: { value: "duration", help: "stop an attempt after this time, such as 10m" },
    setup: { value: "command", help: "install dependencies with this instead of copying them, such as 'npm ci'" },
    permission: {
      value: "mode",
      choices: ["plan", "ask", "edits", "auto", "read-only"],
      help: "what attempts may do (default edits)",
    },
    allow: { value: "rule", repeatable: true, help: "allow without asking, such as 'bash(npm test:*)'; repeatable" },
    deny: { value: "rule", repeatable: true, help: "never allow; repeatable" },
    sandbox: { value: "on|off|auto", choices: ["on", "off", "auto"], help: "run shell commands in a sandbox" },
    continue: { short: "c", help: "branch from the last session in this folder" },
    resume: { short: "r", value: "session", help: "branch from a session, or from an entry with session#entry" },
    trust: { help: "use this project's extensions and settings, once" },
  },
  examples: [
    ["try -n 3 'fix #12' --check 'npm test'", "three attempts, ranked by their tests"],
    ["try --models sonnet,gpt-5.1 'fix #12' --check 'npm test' --keep best", "two models; keep the better one"],
    ["try --agents claude,codex,bough 'fix the flaky test'", "one attempt by each agent"],
  ],
  json: '{ "session", "file", "tryId", "attempts": [{ name, entryId, tipId, driver, model?, state, tokens, dollars, unpriced, durationMs, files?, check?, reason? }] best first, "best": name or null, "judged"?: { best, reason }, "kept"?: { kind, ... }, "limit"? }',
  args: { least: 1, most: 1000 },
  completes: "none",
};

export async function run(call: SubcommandCall): Promise<number> {
  const { flags, out, places, signal, version } = call;
  const home = boughHome();
  const options = optionsIn(call);
  // What killed runs left, before there is more of it.
  await cleanFolders(home);
  const status = new StatusLine();
  const notice = (message: string) => {
    status.clear();
    out.notice(`bough: ${message}`);
  };
  const questions = terminalQuestions({ onAsk: () => status.clear(), signal });
  const started = await startAgent(
    {
      session: sessionChoice(call),
      ...defined({ sessionDir: places.dir }),
      cwd: places.cwd,
      extensions: [],
      extensionPlaces: "named",
      trust: flags.isOn("trust"),
      // Nothing is done here but to read, and to keep one.
      permissionMode: "read-only",
      ...defined({ allow: flags.all("allow"), deny: flags.all("deny") }),
    },
    quietFront({ version }),
  );
  try {
    started.listen((event) => {
      if (event.type === "notice" && event.level !== "info") notice(noticeLine(event));
    });
    await started.begin();
    const { agent } = started;
    const check = flags.text("check") ?? agent.settings.attempts?.check;
    const run = await agent.startAttempts(call.args.join(" "), {
      ...options,
      ...defined({ check, ask: questions?.ask }),
      programArgs: childArguments(call),
      dependencies: async ({ folders, bytes }) => {
        if (questions === undefined) return "leave";
        const size = grouped(Math.ceil(bytes / 1_000_000));
        return (await questions.confirm(`Copy ${folders[0]} (${size} MB) to each attempt?`)) ? "copy" : "leave";
      },
      onProgress: ({ done, total }) => status.tell(() => `Copying files: ${grouped(done)} of ${grouped(total)}`),
      signal,
    });
    status.clear();
    signal.addEventListener("abort", () => void run.stop(), { once: true });
    if (signal.aborted) void run.stop();
    const told = new Set<string>();
    run.subscribe((attempt) => {
      if (!out.json && isEnded(attempt) && !told.has(attempt.name)) {
        told.add(attempt.name);
        status.clear();
        out.line(attemptLine(attempt));
      }
      status.tell(() =>
        run.attempts
          .filter((one) => !isEnded(one))
          .map(stepWords)
          .join(" · "),
      );
    });
    const { limit } = await run.done;
    status.clear();
    run.removeFolders();
    const { attempts } = run;
    const ranked = rankAttempts(attempts);
    let judged: { readonly best: string; readonly reason: string } | undefined;
    if (flags.isOn("judge") && !signal.aborted) {
      try {
        judged = await agent.judgeAttempts(attempts, { signal });
      } catch (error) {
        notice(errorText(error));
      }
    }
    const best = judged === undefined ? bestAttempt(attempts) : keepable(findAttempt(attempts, judged.best), attempts);
    let kept: KeepOutcome | undefined;
    if (flags.text("keep") === "best" && best !== undefined && !signal.aborted)
      kept = await agent.keepAttempt(best.name);
    const { session } = agent;
    if (out.json) {
      out.value({
        session: session.getSessionId(),
        file: session.getSessionFile() ?? null,
        tryId: run.tryId,
        attempts: ranked.map(attemptRow),
        best: best?.name ?? null,
        ...defined({ judged, kept: kept && keptJson(kept), limit }),
      });
    } else {
      out.line();
      for (const line of nextLines({ best, judged, kept, session: session.getSessionId() })) out.line(line);
      if (kept !== undefined) for (const line of keptLines(kept)) out.line(line);
    }
    if (signal.aborted) return EXITS.interrupted.code;
    if (limit !== undefined) return EXITS["limit-reached"].code;
    if (kept !== undefined && kept.kind !== "done") return EXITS.failure.code;
    return best === undefined ? EXITS.failure.code : EXITS.success.code;
  } finally {
    questions?.close();
    await started.close();
  }
}

/** Also if a model prefers it, an attempt whose check failed is not kept by itself. */
function keepable(wanted: Attempt, attempts: readonly Attempt[]): Attempt | undefined {
  return bestAttempt([wanted]) ?? bestAttempt(attempts);
}

function keptJson({ kind, ...rest }: KeepOutcome): Readonly<Record<string, unknown>> {
  return { kind, ...rest, ...("attempt" in rest ? { attempt: rest.attempt.name } : {}) };
}

function sessionChoice({ flags }: SubcommandCall): SessionChoice {
  const reference = flags.text("resume");
  if (reference !== undefined && flags.isOn("continue")) throw usageError("--continue and --resume cannot be combined");
  if (reference !== undefined) return { kind: "open", reference };
  return { kind: flags.isOn("continue") ? "continue" : "new" };
}

function optionsIn({ flags }: SubcommandCall): TryOptions {
  const { dollars, milliseconds } = runLimits({
    turns: undefined,
    tokens: undefined,
    cost: flags.text("max-cost"),
    timeout: flags.text("timeout"),
  });
  const agents = namesIn(flags.text("agents"));
  const known = ["bough", ...KNOWN_AGENTS.map(({ name }) => name)];
  const unknown = agents?.find((name) => !known.includes(name));
  if (unknown !== undefined) throw usageError(`Unknown agent ${unknown}`, `Choose among ${known.join(", ")}.`);
  const permission = flags.text("permission") as PermissionMode | undefined;
  return defined({
    count: flags.count("number"),
    models: namesIn(flags.text("models")),
    agents,
    maxDollars: dollars,
    timeoutMs: milliseconds,
    setup: flags.text("setup"),
    permission,
  });
}

function namesIn(list: string | undefined): readonly string[] | undefined {
  return list
    ?.split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

function childArguments({ flags, places }: SubcommandCall): readonly string[] {
  const sandbox = flags.text("sandbox");
  return [
    ...(sandbox === undefined ? [] : ["--sandbox", sandbox]),
    ...(places.dir === undefined ? [] : ["--session-dir", places.dir]),
    ...(flags.isOn("trust") ? ["--trust"] : []),
  ];
}
