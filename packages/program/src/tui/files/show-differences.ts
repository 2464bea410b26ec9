/** How files differ: names and counts, then each diff. Filled while it is being read. */
import { CodedError } from "@bough/session/entry/index.js";
import { counted, errorText } from "@bough/session/text/index.js";
import {
  differenceLines,
  differenceList,
  differenceTotals,
  type FileDifference,
  patchOf,
} from "@bough/session/view/door.js";
import { type Line, span } from "@bough/session/view/index.js";
import { failureNotice, notShown } from "../../command/index.js";
import type { Screen } from "../app/screen.js";
import type { PanelHost } from "../host/panel-host.js";
import { type BoundKeys, bindKeys, key, type ScreenKeys } from "../keys/key-table.js";
import { Pager, type PagerContent, pagerHelp, pagerKeys } from "../list/pager.js";

export interface ShownDifferences {
  readonly title: string;
  readonly differences: (signal: AbortSignal) => AsyncIterable<FileDifference>;
  /** Sentences above the list: what is missing from it. */
  readonly remarks?: readonly string[];
}

/** Lines kept per file, and in total. The rest is counted, and included when copying. */
const MOST_LINES = 2_000;
const MOST_IN_ALL = 20_000;

/** /diff: how files differ between two entries, or between an entry and the disk. */
export const openDiff: Screen<"diff"> = async ({ host, context }, { from, to, title }) => {
  try {
    const found = await context.agent.diffFiles(from, to);
    await showDifferences(host, { title, remarks: notShown(found), differences: () => found.files });
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    host.status(failureNotice(error), "warning");
  }
};

/** Resolves when it is closed. */
export async function showDifferences(host: PanelHost, shown: ShownDifferences): Promise<void> {
  await host.open<undefined>((done) => new DiffScreen(host, shown, () => done(undefined)).panel);
}

class DiffScreen {
  readonly panel: Pager;
  readonly #host: PanelHost;
  readonly #shown: ShownDifferences;
  readonly #reading = new AbortController();
  readonly #keys: BoundKeys = bindKeys(DIFF_KEYS, this);
  readonly #found: FileDifference[] = [];
  /** Each file's diff, as drawn. */
  readonly #diffs: (readonly Line[])[] = [];
  #state: "reading" | "done" | "failed" = "reading";
  /** Where each file's diff starts. */
  #starts: readonly number[] = [];

  constructor(host: PanelHost, shown: ShownDifferences, close: () => void) {
    this.#host = host;
    this.#shown = shown;
    const { keys } = host;
    const content: PagerContent = {
      name: "diff",
      share: "full",
      keys: () => ({ scope: "diff", bound: this.#keys }),
      title: shown.title,
      note: () => (this.#state === "reading" ? `reading ${host.glyphs.ellipsis} ` : ""),
      lines: () => this.#lines(),
      text: () => this.#found.map(patchOf).join(""),
      hints: () => [
        { keys: keys.hint("diff.close"), text: "close", keep: true },
        { keys: keys.hint("diff.nextFile"), text: "next file", priority: 2 },
        { keys: keys.hint("diff.copy"), text: "copy the patch", priority: 1 },
        { keys: keys.hint("diff.help"), text: "keys", keep: true },
      ],
      dispose: () => this.#reading.abort(),
    };
    this.panel = new Pager(host, content, close);
    void this.#read();
  }

  /** Errors are shown, and what was read stays. */
  async #read(): Promise<void> {
    try {
      for await (const one of this.#shown.differences(this.#reading.signal)) {
        this.#found.push(one);
        this.#diffs.push(differenceLines(one, { most: MOST_LINES, numbers: true }).map((line) => [span(" "), ...line]));
        this.panel.changed();
      }
      this.#state = "done";
    } catch (error) {
      if (this.#reading.signal.aborted) return;
      this.#state = "failed";
      this.#host.status(errorText(error), "error");
    }
    this.panel.changed();
  }

  #lines(): readonly Line[] {
    const found = this.#found;
    const remarks = (this.#shown.remarks ?? []).map((text): Line => [span(` ${text}`, "note")]);
    if (found.length === 0 && this.#state !== "done") return remarks;
    const lines: Line[] = [[span(` ${differenceTotals(found)}`, "strong")], ...remarks];
    for (const line of differenceList(found)) lines.push([span(" "), ...line]);
    const starts: number[] = [];
    for (const [at, diff] of this.#diffs.entries()) {
      if (lines.length > MOST_IN_ALL) {
        lines.push([], [span(` … ${counted(found.length - at, "more file")}`, "muted")]);
        break;
      }
      lines.push([]);
      starts.push(lines.length);
      for (const line of diff) lines.push(line);
    }
    this.#starts = starts;
    return lines;
  }

  /** Start of the next diff below the first visible line, or of the previous one above it. */
  #start(direction: "next" | "previous"): number | undefined {
    const { top } = this.panel;
    // Positions are known once drawn.
    if (this.#starts.length === 0) this.#lines();
    return direction === "next"
      ? this.#starts.find((start) => start > top)
      : this.#starts.findLast((start) => start < top);
  }

  goToFile(direction: "next" | "previous"): void {
    this.panel.moveBy((this.#start(direction) ?? this.panel.top) - this.panel.top);
  }

  noFile(direction: "next" | "previous"): string | undefined {
    if (this.#start(direction) !== undefined) return undefined;
    return direction === "next" ? "This is the last file." : "This is the first file.";
  }
}

/** The keys of a diff. */
export const DIFF_KEYS: ScreenKeys<DiffScreen> = {
  title: "Diff",
  actions: [
    ...pagerKeys("diff"),
    key("diff.nextFile", ["n", "]"], "go to the next file", {
      run: (screen) => screen.goToFile("next"),
      disabled: (screen) => screen.noFile("next"),
    }),
    key("diff.previousFile", ["N", "["], "go to the previous file", {
      run: (screen) => screen.goToFile("previous"),
      disabled: (screen) => screen.noFile("previous"),
    }),
    pagerHelp("diff"),
    { id: "diff.close", keys: ["esc", "q", "enter", "ctrl+c"], help: "close", run: ({ panel }) => panel.close() },
  ],
};
