/** The agent in plain lines: for screen readers, dumb terminals and pipes. Nothing is redrawn. */

import { homedir } from "node:os";
import { setImmediate as nextRound } from "node:timers/promises";
import { boughHome, sessionFolder } from "@bough/session/session/index.js";
import { counted, longAge, noticeText, titleOf } from "@bough/session/text/index.js";
import { listedSessions, plainSessions, type SessionRow, sessionRow } from "@bough/session/view/internal.js";
import type { ForeignPlace } from "@bough/workbench/interop/index.js";
import { foreignListed, listForeign } from "@bough/workbench/interop/internal.js";
import {
  type CommandContext,
  type CommandOutcome,
  commandsOfExtensions,
  createCommandContext,
  type FrontEnd,
  importAndOpen,
  type LongWork,
  type LongWorkOutcome,
  readCommandLine,
  runCommandLine,
  whereYouWere,
} from "../../command/index.js";
import { savedSentence } from "../../command/internal.js";
import type { InteractiveRequest } from "../cli-options.js";
import { errorReportOf, errorReportText } from "../error-report.js";
import type { ModeParts } from "../run-print.js";
import { importQuestion } from "../start/import-question.js";
import { startAgent } from "../start/start-agent.js";
import type { StartedAgent } from "../start/started-agent.js";
import { StoppableWork } from "../stoppable-work.js";
import { LineInput } from "./line-input.js";
import { PlainEvents } from "./plain-events.js";
import { askConflicts, askFiles, askProtected } from "./plain-files.js";
import { askBeforeMove, askConfirm, askFailed, askPermission, type PlainVoice, plainUi } from "./plain-questions.js";
import { showPlainTree } from "./plain-tree.js";

/** Runs until the user quits. Returns the exit code. */
export async function runPlain(request: InteractiveRequest, { version, interruption }: ModeParts): Promise<number> {
  const input = new LineInput({ input: process.stdin, output: process.stdout });
  const events = new PlainEvents((text) => void process.stdout.write(text));
  const voice: PlainVoice = { ask: (question, signal) => input.ask(question, signal), say: (text) => events.say(text) };
  const started = await startAgent(request.agent, {
    ui: () => plainUi(voice),
    hasUi: true,
    mode: "plain",
    ask: (permission) => askPermission(voice, permission),
    askImport: (place) => plainAskImport(voice, place),
    syncs: !request.demo,
    refreshesModels: !request.demo,
    version,
  });
  interruption.onEnd(async () => {
    input.close();
    await started.close();
  });
  const long = new StoppableWork();
  // Ctrl+C stops what is running; if nothing is, it ends the program as usual.
  interruption.intercept(() => {
    if (long.isRunning) {
      long.stop();
      return true;
    }
    if (started.agent.operation === undefined) return false;
    started.abort();
    input.cancel();
    return true;
  });
  started.listen((event) => events.handle(event));
  await started.begin();
  let isOver = false;
  void started.parts.ended.then(() => {
    isOver = true;
    input.close();
  });
  const talk = new PlainTalk(started, voice, long);
  voice.say(plainGreeting(talk.context, version));
  for (
    let line: string | undefined = started.parts.prompt ?? request.prompt;
    line !== undefined;
    line = await voice.ask("> ")
  ) {
    if ((await talk.take(line)) === "quit") break;
    // An extension may have ended the program; lines typed ahead are then ignored.
    await nextRound();
    if (isOver) break;
  }
  const saved = request.demo ? "" : savedSentence(started.agent.session);
  if (saved !== "") voice.say(saved);
  return 0;
}

class PlainTalk {
  readonly #started: StartedAgent;
  readonly #voice: PlainVoice;
  readonly #long: StoppableWork;
  /** Text that a command put into the editor; an empty line sends it. */
  #draft = "";

  readonly context: CommandContext;

  constructor(started: StartedAgent, voice: PlainVoice, long: StoppableWork) {
    this.#started = started;
    this.#long = long;
    this.#voice = voice;
    this.context = this.#makeContext();
  }

  async take(line: string): Promise<"quit" | "continue"> {
    const text = line.trim() === "" ? this.#draft : line;
    this.#draft = "";
    if (text.trim() === "") return "continue";
    try {
      return await this.#do(text);
    } catch (error) {
      this.#voice.say(errorReportText(errorReportOf(error)).trimEnd());
      return "continue";
    }
  }

  async #do(text: string): Promise<"quit" | "continue"> {
    const { agent } = this.#started;
    const shell = /^(!!?)\s*(\S[\s\S]*)$/.exec(text);
    if (shell !== null) {
      const executed = await agent.runBash(shell[2] as string, { excludeFromContext: shell[1] === "!!" });
      this.#voice.say(executed.message.output);
      return "continue";
    }
    if (readCommandLine(this.context, text).kind === "prompt") {
      await agent.prompt(text);
      await agent.whenIdle();
      return "continue";
    }
    const outcome = await runCommandLine(this.context, text);
    this.#tell(outcome);
    return outcome.kind === "quit" ? "quit" : "continue";
  }

  #makeContext(): CommandContext {
    const { agent, parts } = this.#started;
    const { cwd, sessionDir, runner, permissions, version } = parts;
    return createCommandContext({
      agent,
      front: this.#front(),
      sessionDir: sessionDir ?? sessionFolder(cwd),
      cwd,
      home: boughHome(),
      version,
      now: () => new Date(),
      permissions,
      sync: parts.sync,
      ui: parts.host.context().ui,
      extra: () =>
        commandsOfExtensions(runner.registrations.commands, (name, args) => this.#started.runCommand(name, args)),
    });
  }

  #front(): FrontEnd {
    const voice = this.#voice;
    return {
      screens: new Set(["tree", "import"]),
      open: async (request) => {
        if (request.screen === "tree") this.#tell(await showPlainTree(this.context, voice, request.search));
        else if (request.screen === "import") this.#tell(await plainImport(this.context, voice, request.search));
      },
      canAsk: true,
      askBeforeMove: (question) => askBeforeMove(voice, question),
      askFailed: (message, instead) => askFailed(voice, message, instead),
      askFiles: (question) => askFiles(voice, question),
      askConflicts: (question) => askConflicts(voice, question),
      askProtected: (question) => askProtected(voice, question),
      confirm: (request) => askConfirm(voice, request),
      watch: (work) => this.#watch(work),
      tell: (notice) => voice.say(noticeText(notice)),
      setEditorText: (text) => this.#offer(text),
      copy: (text) => voice.say(text),
    };
  }

  async #watch<Result>(work: LongWork<Result>): Promise<LongWorkOutcome<Result>> {
    this.#voice.say(`${work.title()}. Ctrl+C stops it: ${work.stops}.`);
    return this.#long.run(work);
  }

  #tell(outcome: CommandOutcome): void {
    if ("message" in outcome && outcome.message !== undefined) {
      this.#voice.say(noticeText({ message: outcome.message, hint: outcome.hint }));
    }
    if (outcome.kind === "done" && outcome.editorText !== undefined) this.#offer(outcome.editorText);
  }

  #offer(text: string): void {
    this.#draft = text;
    this.#voice.say(`Ready to send again: ${text}\nPress Enter to send it, or type something else.`);
  }
}

/** The first line of plain mode: a new session, or the last position in an old one. */
function plainGreeting(context: CommandContext, version: string): string {
  const { driver, model } = context.agent;
  const named = model === undefined ? "no model" : `${model.info.provider}/${model.info.id}`;
  const speaker = driver === undefined ? `Model ${named}` : `Agent ${driver.title}`;
  const start = `Bough ${version}. ${sessionWords(context)}. ${speaker}.`;
  return `${start} /help lists commands, /tree shows the tree, /quit quits.`;
}

function sessionWords(context: CommandContext): string {
  const where = whereYouWere(context);
  if (where === undefined) return "New session";
  const { name = "Unnamed session", branch, turns, last, here = "the start" } = where;
  const facts = [
    titleOf(name, 60),
    `branch ${branch.number}, ${titleOf(branch.name, 40)}`,
    counted(turns, "turn"),
    ...(last === undefined ? [] : [`last active ${longAge(last, context.now().getTime())}`]),
  ];
  return `${facts.join(", ")}. You are at "${titleOf(here, 60)}"`;
}

/** More lines at once are too much for a screen reader; search finds the rest. */
const SHOWN = 20;
const QUESTION = "Number to import and open, s word to search, q to quit: ";

/** Asks whether to import another program's session before opening it. */
async function plainAskImport(voice: PlainVoice, place: ForeignPlace): Promise<"import" | "cancel"> {
  const [title = "", ...lines] = importQuestion(place);
  return (await askConfirm(voice, { title, lines, yes: "import it", no: "leave it" })) ? "import" : "cancel";
}

/** Asks until one is chosen or the user cancels. */
async function plainImport(context: CommandContext, { ask, say }: PlainVoice, search = ""): Promise<CommandOutcome> {
  say("Looking for other agents' sessions.");
  const sessions = await listForeign({ places: context.agentPlaces });
  const rows = sessions.map((session) => sessionRow(foreignListed(session), { home: homedir() }));
  let shown = show(rows, search);
  for (;;) {
    const answer = ((await ask(QUESTION)) ?? "q").trim();
    const words = /^s\s+(.+)$/i.exec(answer)?.[1];
    const row = /^\d+$/.test(answer) ? shown[Number(answer) - 1] : undefined;
    const source = row === undefined ? undefined : sessions[rows.indexOf(row)];
    if (answer === "" || /^q(uit)?$/i.test(answer)) return { kind: "shown" };
    if (source !== undefined) return importAndOpen(context, source);
    if (words !== undefined) shown = show(rows, words);
    else say(shown.length === 0 ? "Nothing to import here." : `Enter a number from 1 to ${shown.length}.`);
  }

  function show(all: readonly SessionRow[], wanted: string): readonly SessionRow[] {
    const found = listedSessions(all, { words: wanted, sort: "recent" });
    const first = found.slice(0, SHOWN);
    for (const line of plainSessions(first, context.now().getTime())) say(line);
    if (found.length > first.length) say(`and ${found.length - first.length} older ones; search with s word`);
    return first;
  }
}
