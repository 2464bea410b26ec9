/** Which blocks are open and how much of long ones is shown. It outlives the elements: a list draws only what is seen. */
import type { BlockLook, FoldingKind } from "../../html/block-look.js";

const TEXT = 30_000;
const OUTPUT = 8_000;

export class Unfolded {
  readonly #open = new Map<string, boolean>();
  readonly #more = new Map<string, number>();

  isOpen(id: string, kind: FoldingKind, { toolsOpen }: { readonly toolsOpen: boolean }): boolean {
    return this.#open.get(id) ?? (toolsOpen && (kind === "tool" || kind === "shell"));
  }

  setOpen(id: string, open: boolean): void {
    this.#open.set(id, open);
  }

  /** Tools follow the switch again, also those that were opened one by one. */
  forget(): void {
    this.#open.clear();
  }

  showMore(id: string): void {
    this.#more.set(id, (this.#more.get(id) ?? 0) + 1);
  }

  limits(id: string): ReturnType<BlockLook["limits"]> {
    const factor = 10 ** (this.#more.get(id) ?? 0);
    return { text: TEXT * factor, output: OUTPUT * factor };
  }
}
