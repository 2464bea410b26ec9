/** Counts along the path to each entry, computed once: prompts, tool results, conversation, bytes. */
import { Kind, Role } from "../entry/index.js";
import { isConversation } from "./branches.js";
import { enlarged } from "./enlarged.js";
import type { TreeIndex } from "./tree-index.js";

const NOT_COUNTED = 0xffff_ffff;

export class PathSums {
  #turns = new Uint32Array(0);
  #tools = new Uint32Array(0);
  #depths = new Uint32Array(0);
  #bytes = new Float64Array(0);
  #allTurns = 0;

  /** Prompts in the whole session. */
  get allTurns(): number {
    return this.#allTurns;
  }

  turnsAt(n: number): number {
    return n < 0 ? 0 : (this.#turns[n] as number);
  }

  toolsAt(n: number): number {
    return n < 0 ? 0 : (this.#tools[n] as number);
  }

  depthAt(n: number): number {
    return n < 0 ? 0 : (this.#depths[n] as number);
  }

  bytesAt(n: number): number {
    return n < 0 ? 0 : (this.#bytes[n] as number);
  }

  isCounted(n: number): boolean {
    return n < 0 || this.#depths[n] !== NOT_COUNTED;
  }

  /** Makes room for entries that will be counted. */
  expect(from: number, count: number): void {
    if (from === 0) this.#allTurns = 0;
    if (count > this.#turns.length) {
      const size = Math.max(count, this.#turns.length * 2, 64);
      this.#turns = enlarged(this.#turns, new Uint32Array(size));
      this.#tools = enlarged(this.#tools, new Uint32Array(size));
      this.#depths = enlarged(this.#depths, new Uint32Array(size));
      this.#bytes = enlarged(this.#bytes, new Float64Array(size));
    }
    this.#depths.fill(NOT_COUNTED, from, count);
  }

  /** Counts an entry whose parent is counted. */
  count(tree: TreeIndex, n: number, parent: number): void {
    const kind = tree.kindOf(n);
    const role = kind === Kind.message ? tree.roleOf(n) : Role.none;
    const said = isConversation(kind);
    this.#turns[n] = this.turnsAt(parent) + (role === Role.user ? 1 : 0);
    this.#tools[n] = this.toolsAt(parent) + (role === Role.toolResult ? 1 : 0);
    this.#depths[n] = this.depthAt(parent) + (said ? 1 : 0);
    this.#bytes[n] = this.bytesAt(parent) + (said ? tree.lengthOf(n) : 0);
    if (role === Role.user) this.#allTurns += 1;
  }
}
