/** Which blocks are open: all of a kind through one key, or a single one. */
import type { TranscriptBlock } from "@bough/session/view/index.js";

export type FoldKind = "thinking" | "tools" | "notes" | "long";

export class Folds {
  /** Long blocks are folded too, but no key opens all of them. */
  readonly #open: Record<FoldKind, boolean> = { thinking: false, tools: false, notes: false, long: false };
  /** Blocks that differ from the default of their kind. */
  readonly #others = new Map<string, FoldKind>();
  #version = 0;

  /** Increases with every change. */
  get version(): number {
    return this.#version;
  }

  isOpen(id: string, kind: FoldKind): boolean {
    return this.#open[kind] !== this.#others.has(id);
  }

  /** Whether blocks of a kind are open, unless they were folded individually. */
  areOpen(kind: FoldKind): boolean {
    return this.#open[kind];
  }

  /** Opens or folds all blocks of a kind, including those opened or folded individually. */
  toggleAll(kind: FoldKind): "open" | "folded" {
    for (const [id, itsKind] of [...this.#others]) if (itsKind === kind) this.#others.delete(id);
    this.#open[kind] = !this.#open[kind];
    this.#version += 1;
    return this.#open[kind] ? "open" : "folded";
  }

  toggle(id: string, kind: FoldKind): void {
    if (!this.#others.delete(id)) this.#others.set(id, kind);
    this.#version += 1;
  }
}

/** How a block folds; undefined if it is always shown in full. */
export function foldKind(block: TranscriptBlock): FoldKind | undefined {
  switch (block.kind) {
    case "thinking":
      return block.redacted ? undefined : "thinking";
    case "tool":
    case "shell":
      return "tools";
    case "note":
      return block.text.trim() === "" ? undefined : "notes";
    case "prompt":
    case "custom":
      return "long";
    default:
      return undefined;
  }
}
