/** `bough blame`: which entry, branch and prompt wrote each line of a file, across all sessions of its folder. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { boughHome } from "@bough/session/session/index.js";
import { counted, firstWords, longAge, shortAge, shownPath, visibleText } from "@bough/session/text/index.js";
import { type Line, span } from "@bough/session/view/index.js";
import { cutToWidth, padToWidth } from "@bough/session/view/internal.js";
import { type BlamedLine, type DescribedStep, type TracedFile, traceFile } from "@bough/workbench/checkpoint/index.js";
import { storedContents } from "@bough/workbench/store/door.js";
import { usageError } from "../../cli-error.js";
import { shortIds } from "../browse/short-ids.js";
import { StatusLine } from "../status-line.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";

export const row: SubcommandRow = {
  name: "blame",
  usage: "<file[:line]>",
  summary: "Show which entry, branch and prompt wrote each line of a file",
  details:
    "Follows the recorded states of the file backwards through every session that worked in this folder, archived ones included, also across renames. For each line: the session and entry, its age, its branch and its prompt; ? marks lines that may be older, because an earlier version is missing. With a line number, prints details of that line. Lines that no session recorded are marked as written outside of, or before, any session.",
  flags: {},
  examples: [
    ["blame src/lexer.ts", "every line"],
    ["blame src/lexer.ts:42", "one line, with its session, branch and prompt"],
    ["blame src/lexer.ts:42 --json", "for a script or an editor"],
  ],
  json: '{ "root", "path", "unread": [{ file, reason }], "lines": [{ line, text, kind: "step" | "unknown" | "outside" | "older", step: { session: { id, path, name }, entryId, recordId, branch: { number, name }, prompt: { entryId, text } or null, by, tool, agent, time } or null }] }',
  args: { least: 1, most: 1 },
  completes: "none",
};

export async function run(call: SubcommandCall): Promise<number> {
  const { args, places, out, signal } = call;
  const { cwd } = places;
  const { file, line } = lineIn(args[0] as string, cwd);
  const status = new StatusLine();
  const onProgress = (done: number, total: number) => status.tell(() => `Reading sessions: ${done} of ${total}`);
  const home = boughHome();
  const options = { cwd, home, contents: storedContents(home), signal, onProgress };
  const traced = await traceFile(file, options).finally(() => status.clear());
  try {
    const { root, path, lines, unread, away } = traced;
    if (line !== undefined && line > lines.length) {
      throw usageError(`${file} has ${counted(lines.length, "line")}`, `Line ${line} is past the end of the file.`);
    }
    const shown = line === undefined ? lines : lines.slice(line - 1, line);
    for (const { file: session, reason } of unread) {
      out.notice(`bough: Not everything could be read: ${shownPath(session)}: ${reason}`);
    }
    for (const session of away) out.notice(`bough: Session not found: ${shownPath(session)}`);
    if (out.json) await out.values({ root, path, unread }, "lines", shown.map(jsonOf(traced)));
    else if (line !== undefined) await out.lines(detailLines(shown[0] as BlamedLine, { traced, call }));
    else await out.lines(tableLines(shown, { traced, call }));
    return 0;
  } finally {
    traced.close();
  }
}

/** A file may have a colon in its name. */
function lineIn(given: string, cwd: string): { readonly file: string; readonly line: number | undefined } {
  const [, file, digits] = /^(.+):(\d{1,9})$/s.exec(given) ?? [];
  if (file === undefined || existsSync(resolve(cwd, given))) return { file: given, line: undefined };
  if (Number(digits) < 1) throw usageError("Lines are numbered from 1", "For example: bough blame src/main.ts:12");
  return { file, line: Number(digits) };
}

function jsonOf({ stepOf }: TracedFile): (line: BlamedLine) => object {
  return (blamed) => {
    const { line, text, origin } = blamed;
    return { line, text, kind: origin.kind, step: stepOf(blamed) ?? null };
  };
}

interface Shown {
  readonly traced: TracedFile;
  readonly call: SubcommandCall;
}

const NO_STEP = { outside: "outside of any session", older: "before any session" } as const;
/** Columns for the prompt's text. */
const PROMPT = 28;

/** "4f2a#c0ffee12  2d  #1  make it faster       12  const x = 1;" */
function* tableLines(lines: readonly BlamedLine[], { traced: { stepOf }, call }: Shown): Generator<Line> {
  const now = call.now().getTime();
  const steps = [...new Set(lines.flatMap((line) => stepOf(line) ?? []))];
  const short = shortIds(steps.map(({ session }) => session.id));
  const addresses = new Map(steps.map((step) => [step, addressOf(step, short)]));
  const widest = Math.max(0, ...[...addresses.values()].map((address) => address.length));
  const digits = String(lines.at(-1)?.line ?? 1).length;
  for (const blamed of lines) {
    const { line, text, origin } = blamed;
    const step = stepOf(blamed);
    const number = span(`  ${String(line).padStart(digits)}  `, "muted");
    const code = span(visibleText(text).text);
    if (step === undefined) {
      const words = NO_STEP[origin.kind as keyof typeof NO_STEP];
      yield [span(padToWidth(words, widest + 8 + 6 + PROMPT), "muted"), number, code];
      continue;
    }
    const address = (addresses.get(step) ?? "").padEnd(widest);
    const age = shortAge(Date.parse(step.time), now).padStart(4);
    const branch = `#${step.branch.number}`.padEnd(4);
    const prompt = padToWidth(cutToWidth(byWords(step), PROMPT), PROMPT);
    const doubt = origin.kind === "unknown" ? "?" : " ";
    yield [
      span(address, "accent"),
      span(`${doubt} ${age}  `, "muted"),
      span(`${branch}  `, "note"),
      span(prompt),
      number,
      code,
    ];
  }
}

function addressOf({ session, entryId }: DescribedStep, short: ReadonlyMap<string, string>): string {
  return `${short.get(session.id) ?? session.id}#${entryId}`;
}

function byWords({ by, prompt }: DescribedStep): string {
  if (by === "person") return "(changed by you)";
  return prompt === null ? "(no prompt)" : firstWords(prompt.text, 100);
}

function* detailLines(blamed: BlamedLine, { traced: { path, stepOf }, call }: Shown): Generator<Line> {
  const { line, text, origin } = blamed;
  yield [span(`${shownPath(path)}:${line}`, "strong"), span(`  ${visibleText(text).text}`)];
  const step = stepOf(blamed);
  if (step === undefined) {
    yield [span(`  Written ${NO_STEP[origin.kind as keyof typeof NO_STEP]}`)];
    return;
  }
  const { session, branch, prompt, tool, agent, by, time } = step;
  const means = tool === null ? `by a ${by}` : `by ${tool}`;
  const who = by === "person" ? "by you" : agent === null ? means : `${means} of ${firstWords(agent, 40)}`;
  const doubt = origin.kind === "unknown" ? " or before; the earlier content is not on this machine" : "";
  const address = addressOf(step, shortIds([session.id]));
  yield [span(`  Written ${who}, ${longAge(Date.parse(time), call.now().getTime())}${doubt}`)];
  yield [span("  Session  ", "muted"), span(session.name ?? session.id), span(`  ${shownPath(session.path)}`, "muted")];
  yield [span("  Branch   ", "muted"), span(`#${branch.number} ${firstWords(branch.name, 60)}`)];
  if (prompt !== null) yield [span("  Prompt   ", "muted"), span(firstWords(prompt.text, 200))];
  yield [span("  Show it  ", "muted"), span(`bough show ${address} --last 1`)];
}
