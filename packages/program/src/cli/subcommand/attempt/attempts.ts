/** `bough attempts`: the attempts of a session, and what killed runs left. */
import type { KeepOptions } from "@bough/agent/agent/index.js";
import { findAttempt, isEnded } from "@bough/agent/agent/internal.js";
import { isAlive } from "@bough/session/log/index.js";
import { boughHome } from "@bough/session/session/index.js";
import { defined, noticeLine, attempt as tried } from "@bough/session/text/index.js";
import { cleanFolders, endGroups, listFolders } from "@bough/workbench/folder/index.js";
import { usageError } from "../../cli-error.js";
import { EXITS } from "../../exit-codes.js";
import { startAgent } from "../../start/start-agent.js";
import type { StartedAgent } from "../../start/started-agent.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";
import { attemptLine, attemptRow, keptLines } from "./attempt-lines.js";
import { quietFront } from "./quiet-front.js";

export const row: SubcommandRow = {
  name: "attempts",
  usage: "[list|keep|stop|clean] [attempt]",
  summary: "List, keep or stop attempts of a session, and clean up after killed ones",
  details:
    "list shows the attempts of the last session in this folder. keep moves to the end of one and brings its file changes to the files as they are now; the others stay as branches. stop ends one that works in another window, or all. clean ends what killed runs left running, records what they had changed, and removes their folders; every start of bough try does so too.",
  flags: {
    resume: { short: "r", value: "session", help: "of this session" },
    conflicts: {
      value: "keep|take|markers",
      choices: ["keep", "take", "markers"],
      help: "with keep: files that both sides changed: keep yours, take the attempt's, or write both with markers",
    },
    protected: { help: "with keep: also bring files that decide what runs" },
    "dry-run": { help: "with keep: report what would change, without changing anything" },
  },
  examples: [
    ["attempts", "the attempts of the last session here"],
    ["attempts keep attempt-2", "continue with this one, with its files"],
    ["attempts clean", "remove what killed runs left"],
  ],
  json: 'list: { "session", "attempts": [...] as in bough try }. keep: { kind: "done", attempt, files?, installs } or { kind: "conflicts", conflicts } or { kind: "cancelled" }; with --dry-run { write, delete, conflicts, protected }. stop: { "stopped": [name] }. clean: { "folders": [{ name, path, outcome: "removed" | "kept" | "busy", problem? }] }.',
  args: { least: 0, most: 2 },
  completes: ["list", "keep", "stop", "clean"],
};

const CONFLICT_ANSWERS = ["keep", "take", "markers"] as const;

export async function run(call: SubcommandCall): Promise<number> {
  const [what = "list", name] = call.args;
  switch (what) {
    case "list":
      return list(call);
    case "keep":
      if (name === undefined)
        throw usageError("Which attempt?", "bough attempts lists them: bough attempts keep attempt-2");
      return keep(call, name);
    case "stop":
      return stop(call, name);
    case "clean":
      return clean(call);
    default:
      throw usageError(`Unknown argument ${what}`, "Use list, keep, stop or clean.");
  }
}

async function opened<Result>(call: SubcommandCall, work: (started: StartedAgent) => Promise<Result>): Promise<Result> {
  const { flags, places, version, out } = call;
  const reference = flags.text("resume");
  const started = await startAgent(
    {
      session: reference === undefined ? { kind: "continue" } : { kind: "open", reference },
      ...defined({ sessionDir: places.dir }),
      cwd: places.cwd,
      extensions: [],
      extensionPlaces: "named",
      trust: false,
      permissionMode: "read-only",
    },
    quietFront({ version }),
  );
  try {
    started.listen((event) => {
      if (event.type === "notice" && event.level === "error") out.notice(`bough: ${noticeLine(event)}`);
    });
    return await work(started);
  } finally {
    await started.close();
  }
}

function list(call: SubcommandCall): Promise<number> {
  const { out } = call;
  return opened(call, async ({ agent }) => {
    const attempts = await agent.listAttempts();
    if (out.json) {
      out.value({ session: agent.session.getSessionId(), attempts: attempts.map(attemptRow) });
      return EXITS.success.code;
    }
    if (attempts.length === 0) out.line('No attempts in this session. Start some with: bough try -n 3 "..."');
    for (const one of attempts) out.line(attemptLine(one));
    return EXITS.success.code;
  });
}

function keep(call: SubcommandCall, name: string): Promise<number> {
  const { out, flags } = call;
  return opened(call, async (started) => {
    const { agent } = started;
    await started.begin();
    if (flags.isOn("dry-run")) {
      const plan = await agent.planKeepAttempt(name);
      const paths = (files: readonly { readonly path: string }[] = []) => files.map(({ path }) => path);
      const facts = {
        write: paths(plan?.files.filter(({ wanted }) => wanted !== null)),
        delete: paths(plan?.files.filter(({ wanted }) => wanted === null)),
        conflicts: paths(plan?.conflicts),
        protected: paths(plan?.protected),
      };
      if (out.json) out.value(facts);
      else
        for (const [kind, files] of Object.entries(facts))
          for (const path of files) out.line(`${kind.padEnd(10)} ${path}`);
      return EXITS.success.code;
    }
    const conflicts = CONFLICT_ANSWERS.find((one) => one === flags.text("conflicts"));
    const options: KeepOptions = defined({
      conflicts,
      protected: flags.isOn("protected") ? ("take" as const) : undefined,
    });
    const kept = await agent.keepAttempt(name, options);
    if (out.json) out.value("attempt" in kept ? { ...kept, attempt: kept.attempt.name } : kept);
    else for (const line of keptLines(kept)) out.line(line);
    return kept.kind === "done" && kept.files?.kind !== "failed" ? EXITS.success.code : EXITS.failure.code;
  });
}

function stop(call: SubcommandCall, name: string | undefined): Promise<number> {
  const { out } = call;
  return opened(call, async ({ agent }) => {
    const attempts = await agent.listAttempts();
    const wanted = name === undefined ? attempts : [findAttempt(attempts, name)];
    const running = new Set(wanted.filter((one) => !isEnded(one)).map(({ entryId }) => entryId as string));
    const stopped: string[] = [];
    for (const folder of listFolders(boughHome()).folders) {
      if (folder.session === undefined || !running.has(folder.session.entry)) continue;
      for (const process_ of folder.groups) if (isAlive(process_)) tried(() => process.kill(process_.pid, "SIGTERM"));
      if (!isAlive(folder.owner)) endGroups(folder);
      stopped.push(folder.name);
    }
    if (out.json) out.value({ stopped });
    else if (stopped.length === 0) out.line("None is running.");
    else out.line(`Stopped: ${stopped.join(", ")}`);
    return EXITS.success.code;
  });
}

async function clean({ out }: SubcommandCall): Promise<number> {
  const folders = await cleanFolders(boughHome());
  if (out.json) out.value({ folders });
  else if (folders.length === 0) out.line("Nothing to clean up.");
  for (const { name, path, outcome, problem } of out.json ? [] : folders) {
    const words = { removed: "Removed", kept: "Kept", busy: "In use" }[outcome];
    out.line(`${words}  ${name}  ${path}${problem === undefined ? "" : `: ${problem}`}`);
  }
  return folders.some(({ outcome }) => outcome === "kept") ? EXITS.failure.code : EXITS.success.code;
}
