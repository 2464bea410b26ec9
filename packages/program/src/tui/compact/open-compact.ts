/** /compact: preview what is summarized and kept, compact, check what may be lost, undo. */

import type { LossReport } from "@bough/agent/agent/index.js";
import { planCompaction } from "@bough/agent/agent/plan.js";
import type { CompactionEntry, EntryId } from "@bough/session/entry/index.js";
import { shortCount } from "@bough/session/text/index.js";
import { compactPath, SENTENCES, showOutcome, undoLastCompaction } from "../../command/index.js";
import type { Screen, ScreenApp } from "../app/screen.js";
import { type BoundKeys, bindKeys, key, type ScreenKeys } from "../keys/key-table.js";
import type { OffReason } from "../keys/off-reason.js";
import { workingOffer } from "../keys/working-offer.js";
import { Pager, type PagerContent, pagerHelp, pagerKeys, showPager, textLines } from "../list/pager.js";
import { askText } from "../questions/ask-text.js";
import { withProgress } from "../questions/with-progress.js";
import { type CompactionFacts, compactionFacts, lossLines, previewLines } from "./compaction-lines.js";

interface Compacted {
  readonly entryId: EntryId;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly loss: LossReport;
}

export const openCompact: Screen<"compact"> = async (app, request) => {
  const { host, context } = app;
  const { session } = context.agent;
  const plan = planCompaction(session, context.agent.settings.compaction);
  if (plan.kind === "nothing") {
    host.status("Nothing to compact yet: it needs at least two turns.");
    return;
  }
  const facts = compactionFacts(plan, session.getBranch());
  const choice = await askForCompaction(app, facts, request.instructions ?? "");
  if (choice === undefined) return;
  const compacted = await compactWith(app, { about: choice.about, entries: facts.entries.length });
  if (compacted !== undefined) await showResult(app, compacted);
};

/** The preview. Undefined if the user closed it. */
function askForCompaction(
  { host, context }: ScreenApp,
  facts: CompactionFacts,
  instructions: string,
): Promise<{ readonly about: string } | undefined> {
  let about = instructions;
  const { keys, glyphs } = host;
  const reference = context.agent.model?.info;
  return host.open<{ readonly about: string } | undefined>((done) => {
    const ask = async (): Promise<void> => {
      const typed = await askText(host, { name: "about", title: "What should the summary keep?", text: about });
      if (typed === undefined) return;
      about = typed.trim();
      panel.changed();
    };
    const content: PagerContent = {
      name: "compact",
      keys: (shown) =>
        compactKeys({
          panel: shown,
          enter: () => done({ about }),
          about: () => void ask(),
          enterOff: () => {
            if (context.agent.model === undefined) return SENTENCES.noModel;
            return context.agent.operation === undefined
              ? undefined
              : workingOffer("compact", context.front, context.agent.operation);
          },
        }),
      title: "Compact",
      note: () => `${glyphs.about}${shortCount(facts.tokensBefore)} tokens now`,
      lines: (width) => previewLines(facts, { width, glyphs, about }),
      hints: () => [
        {
          keys: keys.hint("compact.enter"),
          text: `write it${reference === undefined ? "" : ` with ${reference.id}`}`,
          keep: true,
        },
        { keys: keys.hint("compact.about"), text: "say what to keep", priority: 2 },
        { keys: keys.hint("compact.close"), text: "close", priority: 1 },
        { keys: keys.hint("compact.help"), text: "keys", keep: true },
      ],
    };
    const panel = new Pager(host, content, () => done(undefined));
    return panel;
  });
}

/** Undefined if nothing was compacted; the status line says why. */
async function compactWith(
  { host, context }: ScreenApp,
  { about, entries }: { readonly about: string; readonly entries: number },
): Promise<Compacted | undefined> {
  const progress = await withProgress(host, {
    name: "compacting",
    title: `Summarizing ${entries} ${entries === 1 ? "entry" : "entries"}`,
    stops: "nothing changes",
    work: (signal) => {
      signal.addEventListener("abort", () => context.agent.abort(), { once: true });
      return compactPath(context, about);
    },
  });
  if (progress.kind === "stopped") {
    host.status("Stopped. Nothing changed.");
    return undefined;
  }
  showOutcome(context.front, progress.value);
  return progress.value.kind === "done" ? (progress.value.data as Compacted) : undefined;
}

async function showResult({ host, context }: ScreenApp, compacted: Compacted): Promise<void> {
  const { keys, glyphs } = host;
  const { tokensBefore, tokensAfter, loss, entryId } = compacted;
  const summary = (context.agent.session.getEntry(entryId) as CompactionEntry | undefined)?.summary ?? "";
  const undone = await host.open<"undo" | undefined>((done) => {
    const content: PagerContent = {
      name: "compacted",
      keys: (panel) =>
        compactKeys({
          panel,
          enter: () => done(undefined),
          undo: () => done("undo"),
          show: () => {
            const lines = (width: number) => textLines(summary, width);
            void showPager(host, { name: "summary", title: "Summary", text: summary, lines });
          },
        }),
      title: `Summarized ${shortCount(tokensBefore)} tokens into ${glyphs.about}${shortCount(tokensAfter)}`,
      lines: (width) => lossLines(loss, { width, glyphs }),
      text: summary,
      hints: () => [
        { keys: keys.hint("compact.enter"), text: "close", keep: true },
        { keys: keys.hint("compact.show"), text: "read the summary", priority: 2 },
        { keys: keys.hint("compact.undo"), text: "undo it", priority: 3 },
        { keys: keys.hint("compact.help"), text: "keys", keep: true },
      ],
    };
    return new Pager(host, content, () => done(undefined));
  });
  if (undone === "undo") showOutcome(context.front, await undoLastCompaction(context));
}

/** The preview or the result. A key that one of them does not offer says why. */
interface CompactScreen {
  readonly panel: Pager;
  readonly enter: () => void;
  readonly enterOff?: () => OffReason | undefined;
  readonly about?: () => void;
  readonly undo?: () => void;
  readonly show?: () => void;
}

const NOT_WRITTEN = "The summary is not written yet.";

/** The keys of the preview and of the result of a compaction. */
export const COMPACT_KEYS: ScreenKeys<CompactScreen> = {
  title: "Compaction",
  actions: [
    ...pagerKeys("compact"),
    key("compact.enter", ["enter"], "write the summary; afterwards, close", {
      run: ({ enter }) => enter(),
      disabled: ({ enterOff }) => enterOff?.(),
    }),
    key("compact.about", ["w"], "tell the summary what to keep", {
      run: ({ about }) => about?.(),
      disabled: ({ about }) => (about === undefined ? "The summary has already been written." : undefined),
    }),
    key("compact.undo", ["z"], "undo the compaction", {
      run: ({ undo }) => undo?.(),
      disabled: ({ undo }) => (undo === undefined ? NOT_WRITTEN : undefined),
    }),
    key("compact.show", ["v"], "read the summary", {
      run: ({ show }) => show?.(),
      disabled: ({ show }) => (show === undefined ? NOT_WRITTEN : undefined),
    }),
    pagerHelp("compact"),
    key("compact.close", ["esc", "q", "ctrl+c"], "close", ({ panel }) => panel.close()),
  ],
};

function compactKeys(screen: CompactScreen): { readonly scope: string; readonly bound: BoundKeys } {
  return { scope: "compact", bound: bindKeys(COMPACT_KEYS, screen) };
}
