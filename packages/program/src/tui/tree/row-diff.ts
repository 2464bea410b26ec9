/** The diff of the selected row, for the preview: read on selection, and cached while the tree is open. */

import { counted } from "@bough/session/text/index.js";
import { differenceLines } from "@bough/session/view/door.js";
import { type Line, span, type TreeModel, type TreeRow } from "@bough/session/view/index.js";
import { rowFileEnds } from "@bough/session/view/internal.js";
import { type CommandContext, stepDifferences } from "../../command/index.js";
import type { PanelHost } from "../host/panel-host.js";

/** The preview shows only this much; /diff shows everything. */
const MOST_LINES = 200;
const MOST_FILES = 20;
const MOST_KEPT = 200;
const NO_LINES: readonly Line[] = [];

export class RowDiff {
  readonly #context: CommandContext;
  readonly #host: Pick<PanelHost, "redraw">;
  readonly #known = new Map<string, readonly Line[]>();
  #reading: { readonly key: string; readonly controller: AbortController } | undefined;

  constructor(context: CommandContext, host: Pick<PanelHost, "redraw">) {
    this.#context = context;
    this.#host = host;
  }

  /** What was read so far; redrawn as more arrives. */
  lines(model: TreeModel, row: TreeRow | undefined): readonly Line[] {
    const ends = rowFileEnds(model, row);
    if (ends === undefined) return NO_LINES;
    const key = `${ends.from}-${ends.to}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#reading?.key !== key) {
      this.stop();
      this.#reading = { key, controller: new AbortController() };
      void this.#read(key, ends, this.#reading.controller.signal);
    }
    return NO_LINES;
  }

  /** Entry numbers changed. */
  forget(): void {
    this.stop();
    this.#known.clear();
  }

  stop(): void {
    this.#reading?.controller.abort();
    this.#reading = undefined;
  }

  async #read(key: string, ends: { readonly from: number; readonly to: number }, signal: AbortSignal): Promise<void> {
    const lines: Line[] = [];
    let files = 0;
    try {
      for await (const one of stepDifferences(this.#context, ends, signal)) {
        files += 1;
        if (files <= MOST_FILES) lines.push(...differenceLines(one, { most: MOST_LINES, numbers: true }));
      }
      if (files > MOST_FILES) lines.push([span(`... ${counted(files - MOST_FILES, "more file")}`, "muted")]);
    } catch {
      // A preview without a diff: /diff says what is wrong.
    }
    if (signal.aborted) return;
    if (this.#known.size >= MOST_KEPT) this.#known.clear();
    this.#known.set(key, lines);
    this.#reading = undefined;
    this.#host.redraw();
  }
}
