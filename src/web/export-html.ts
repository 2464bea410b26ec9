/** A session, or a part of it, as one HTML page that needs nothing else: no network, no server, not even script. */
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { setImmediate as nextRound } from "node:timers/promises";
import { AgentError } from "../agent/index.js";
import { CURRENT_SESSION_VERSION, type SessionEntry, type SessionHeader } from "../entry/index.js";
import { branchIndexOf, type TreeSource } from "../tree/index.js";
import { firstWords } from "../view/index.js";
import { chunkId, type ExportFacts, FACTS_ID, USAGE_ID } from "./data/export-facts.js";
import { treeColumns } from "./data/tree-columns.js";
import { UsageByBranch } from "./export/branch-usage.js";
import { ChosenEntries, type HtmlScope } from "./export/chosen-entries.js";
import { chunkOrder, chunkStarts, dataBlock, entryLine, inertJson } from "./export/data-blocks.js";
import { leaveOut } from "./export/leave-out.js";
import { readPageTemplate } from "./export/page-template.js";
import { writePrivateFile } from "./export/private-file.js";
import { scriptlessPage } from "./export/scriptless-page.js";
import { escapeHtml } from "./html/html.js";

export interface HtmlExportRequest {
  readonly source: TreeSource;
  readonly header: SessionHeader;
  readonly file: string;
  /** What to do with a file that is there already. Default: refuse. */
  readonly existing?: "refuse" | "replace";
  readonly scope: HtmlScope;
  /** `names`: what tools were asked and what they answered stays behind. Default: full. */
  readonly tools?: "full" | "names";
  readonly leaveOut?: { readonly images?: boolean; readonly systemPrompt?: boolean };
  /** Masks what must not leave the machine. Every text that goes into the file passes it. */
  readonly redact?: { text(text: string): string; record<Value>(record: Value): Value };
  /** Default: the session's name. */
  readonly title?: string;
  readonly now: Date;
  /** The id of the session that the page can give back as JSONL. */
  readonly newSessionId?: () => string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
  /** The page to put the session into, where it is not the one of this package. */
  readonly template?: string;
}

export interface HtmlExport {
  readonly file: string;
  readonly entries: number;
  readonly branches: number;
  readonly bytes: number;
}

/**
 * Writes the page, private to its owner: complete and in place, or not there at all. The session is never held as a
 * whole. Throws `no-content` where the scope is empty, `export-failed` where the file cannot be written or is there
 * already, and the signal's reason where it is stopped.
 */
export async function exportHtml(request: HtmlExportRequest): Promise<HtmlExport> {
  const file = resolve(request.file);
  const chosen = chosenFor(request);
  if (chosen.tree.count === 0) {
    throw new AgentError("no-content", "There is nothing to export", {
      hint: "Send a prompt first, or export another part of the session.",
    });
  }
  const pieces = pagePieces(request, chosen);
  const bytes = await writePrivateFile({ file, existing: request.existing ?? "refuse" }, pieces);
  return { file, entries: chosen.tree.count, branches: branchIndexOf(chosen.tree).count, bytes };
}

/** Exactly the entries that would be in the file, before anything is masked: for whoever looks for secrets first. */
export function* htmlExportEntries(
  request: Pick<HtmlExportRequest, "source" | "scope" | "tools" | "leaveOut" | "now">,
): Generator<SessionEntry> {
  const chosen = chosenFor(request);
  for (let n = 0; n < chosen.tree.count; n++) yield chosen.entryAt(n);
}

function chosenFor(request: Omit<HtmlExportRequest, "file" | "header">): ChosenEntries {
  const { source, scope, tools = "full", redact, now } = request;
  const wish = {
    tools,
    images: request.leaveOut?.images === true,
    systemPrompt: request.leaveOut?.systemPrompt === true,
  };
  const clean = (entry: SessionEntry): SessionEntry => {
    const left = leaveOut(entry, wish);
    return redact === undefined ? left : redact.record(left);
  };
  return new ChosenEntries({ source, scope, clean, now });
}

async function* pagePieces(request: HtmlExportRequest, chosen: ChosenEntries): AsyncGenerator<string> {
  const { signal, onProgress } = request;
  const template = readPageTemplate(request.template);
  const facts = factsOf(request, chosen);
  yield `${template.beforeTitle}${escapeHtml(facts.title)}${template.beforeFacts}`;
  yield dataBlock(FACTS_ID, inertJson(facts));
  const usage = new UsageByBranch(branchIndexOf(chosen.tree));
  const order = chunkOrder(chosen, facts.chunks);
  let done = 0;
  async function* chunks(numbers: readonly number[]): AsyncGenerator<string> {
    for (const chunk of numbers) {
      signal?.throwIfAborted();
      const [from, to] = [facts.chunks[chunk] as number, facts.chunks[chunk + 1] ?? chosen.tree.count];
      const lines: string[] = [];
      for (let n = from; n < to; n++) {
        const entry = chosen.entryAt(n);
        usage.add(n, entry);
        lines.push(entryLine(entry));
      }
      yield dataBlock(chunkId(chunk), lines.join("\n"));
      done += to - from;
      onProgress?.(done, chosen.tree.count);
      await nextRound();
    }
  }
  yield* chunks(order.first);
  yield template.client;
  yield* chunks(order.rest);
  yield dataBlock(USAGE_ID, inertJson(usage.rows));
  yield "<noscript>\n";
  for (const piece of scriptlessPage(chosen, facts)) {
    signal?.throwIfAborted();
    yield piece;
    await nextRound();
  }
  yield `</noscript>\n${template.end}`;
}

function factsOf(request: HtmlExportRequest, chosen: ChosenEntries): ExportFacts {
  const { header, scope, tools = "full", now, redact, newSessionId = randomUUID } = request;
  const mask = (text: string) => firstWords(redact === undefined ? text : redact.text(text), 200);
  const madeAt = now.toISOString();
  return {
    title: mask(request.title ?? chosen.name ?? "Session") || "Session",
    sessionId: mask(String(header.id)),
    madeAt,
    startedAt: mask(String(header.timestamp)),
    scope: scope.kind,
    tools,
    header: {
      type: "session",
      version: CURRENT_SESSION_VERSION,
      id: newSessionId(),
      timestamp: madeAt,
      cwd: mask(String(header.cwd)),
    },
    index: treeColumns(chosen.tree),
    leaf: chosen.leaf,
    chunks: chunkStarts(chosen),
  };
}
