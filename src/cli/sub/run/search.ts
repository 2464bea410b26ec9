/** `bough search`: hits as they are found, progress on standard error. */
import {
  type SearchHit,
  type SearchProgress,
  searchSessions,
  sessionFolder,
  sessionsRoot,
} from "../../../session/index.js";
import { type Line, shortAge, shortBytes, span, withoutControls } from "../../../view/index.js";
import { safeJson } from "../output.js";
import { checkFolder, sessionArgument } from "../session-argument.js";
import type { SubcommandCall } from "../subcommand.js";

const TERMINAL_LIMIT = 100;
/** Milliseconds between two words about how far it is. */
const PROGRESS_EVERY = 200;

export async function run(call: SubcommandCall): Promise<number> {
  const { flags, out, signal } = call;
  const limit = flags.count("limit") ?? (out.isTerminal && !out.json ? TERMINAL_LIMIT : undefined);
  const roles = flags.all("role");
  const progress = new ProgressLine();
  const search = searchSessions(call.args.map(quoted).join(" "), {
    ...(await placesOf(call)),
    signal,
    onProgress: (now) => progress.show(now),
    caseSensitive: flags.isOn("case"),
    ...(limit === undefined ? {} : { limit }),
    ...(roles.length === 0 ? {} : { roles }),
  });
  let hits = 0;
  let session = "";
  try {
    for (;;) {
      const step = await search.next();
      if (step.done === true) {
        progress.clear();
        return await finish(call, step.value, { hits, limit });
      }
      hits += 1;
      progress.clear();
      if (out.json) await out.raw([`${safeJson({ type: "hit", ...step.value })}\n`]);
      else {
        if (step.value.path !== session) out.line(sessionLine(step.value, { first: session === "" }));
        session = step.value.path;
        await out.lines(hitLines(step.value, call.now().getTime()));
      }
    }
  } finally {
    progress.clear();
    await search.return(undefined as never);
  }
}

/** A word that the shell had in quotes is one phrase. */
function quoted(word: string, _at: number, all: readonly string[]): string {
  if (all.length === 1 || !/\s/.test(word) || /^(?:re:|")/.test(word)) return word;
  return `"${word.replaceAll('"', '\\"')}"`;
}

async function placesOf({ flags, places }: SubcommandCall): Promise<{ dir?: string; files?: readonly string[] }> {
  const named = flags.all("in");
  if (named.length > 0) {
    const found: string[] = [];
    for (const reference of named) found.push((await sessionArgument(reference, places)).file);
    return { files: found };
  }
  const dir = flags.isOn("all") ? sessionsRoot() : (places.dir ?? sessionFolder(places.cwd));
  checkFolder(dir);
  return { dir };
}

async function finish(
  { out, flags, args }: SubcommandCall,
  progress: SearchProgress,
  { hits, limit }: { readonly hits: number; readonly limit: number | undefined },
): Promise<number> {
  if (out.json) await out.raw([`${safeJson({ type: "end", hits, ...progress })}\n`]);
  for (const { path, message } of progress.problems) out.remark(`bough: ${path} was not searched: ${message}`);
  if (out.json) return hits === 0 ? 1 : 0;
  if (hits === 0) {
    const where = flags.isOn("all") ? "any session" : "the sessions of this folder";
    const how = flags.isOn("all") || flags.isOn("in") ? "" : " --all looks into those of every folder.";
    out.remark(`Nothing in ${where} matches ${args.join(" ")} (${progress.filesTotal} searched).${how}`);
  } else if (hits === limit) out.remark(`The first ${hits} hits; -n shows more.`);
  return hits === 0 ? 1 : 0;
}

function sessionLine({ sessionName, sessionId }: SearchHit, { first }: { readonly first: boolean }): Line {
  return [span(`${first ? "" : "\n"}`), span(sessionName ?? "session", "strong"), span(`  ${sessionId}`, "muted")];
}

const STATES = { active: "", abandoned: "  on an abandoned branch", compacted: "  behind a compaction" } as const;

function* hitLines(hit: SearchHit, now: number): Generator<Line> {
  const who = hit.role ?? hit.entryType;
  const age = shortAge(Date.parse(hit.timestamp), now);
  yield [span("  "), span(hit.address, "accent"), span(`  ${who}  ${age}${STATES[hit.state]}`, "muted")];
  yield [span("    "), ...markedExcerpt(hit)];
}

/** The excerpt with its matches underlined; where there are no colours, between « and ». */
function* markedExcerpt({ excerpt, matches }: SearchHit): Generator<Line[number]> {
  let at = 0;
  for (const [start, end] of matches) {
    if (start < at) continue;
    yield span(flat(excerpt.slice(at, start)));
    yield span(`«${flat(excerpt.slice(start, end))}»`, "accent");
    at = end;
  }
  yield span(flat(excerpt.slice(at)));
}

function flat(text: string): string {
  return withoutControls(text).replace(/\s+/g, " ");
}

/** One line on standard error that is written over and goes away; only where a person sees it. */
class ProgressLine {
  /** Nothing is said of a search that is over at once. */
  #shownAt = performance.now();
  #isShown = false;

  show({ filesDone, filesTotal, bytesDone, bytesTotal }: SearchProgress): void {
    const now = performance.now();
    if (process.stderr.isTTY !== true || now - this.#shownAt < PROGRESS_EVERY) return;
    this.#shownAt = now;
    this.#isShown = true;
    const part = `${filesDone} of ${filesTotal} sessions, ${shortBytes(bytesDone)} of ${shortBytes(bytesTotal)}`;
    process.stderr.write(`\r\x1b[KSearching: ${part}`);
  }

  clear(): void {
    if (this.#isShown) process.stderr.write("\r\x1b[K");
    this.#isShown = false;
  }
}
