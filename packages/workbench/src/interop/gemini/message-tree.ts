/** Where each message of a chat is: the lists a chat goes through, one after the other, are paths of one tree. */
import type { EntryId } from "@bough/session/entry/index.js";

/** What the model is shown in the place of an entry, and what it was shown before that. */
export interface ShownInstead {
  readonly entryId: EntryId;
  /** What is shown. */
  readonly gist: string;
  readonly before: ShownInstead | undefined;
}

const NO_CHILDREN: readonly MessageNode[] = [];

export class MessageNode {
  readonly parent: MessageNode | undefined;
  /** None at first: nearly every message has one after it, and an empty list would make room for many. */
  #children: readonly MessageNode[] = NO_CHILDREN;
  /** Several, where a compressed history gave the message a new one. */
  readonly ids: readonly string[];
  /** What it says, in its last form. */
  gist: string;
  /** The first entry the message became, and the last; those of the message above where it became none. */
  first: EntryId | null;
  last: EntryId | null;
  /** The last entry up to here that sets the leaf. */
  talk: EntryId | null;
  /** Entries up to `last` that the model is shown otherwise. */
  instead: ShownInstead | undefined;
  /** Of a message that a compressed history repeats: the message its entries hang below in truth. */
  below: MessageNode | undefined;

  constructor(
    parent: MessageNode | undefined,
    { id, gist }: { readonly id: string | undefined; readonly gist: string },
  ) {
    this.parent = parent;
    this.ids = id === undefined ? [] : [id];
    this.gist = gist;
    this.first = parent?.last ?? null;
    this.last = parent?.last ?? null;
    this.talk = parent?.talk ?? null;
    this.instead = parent?.instead;
    this.below = undefined;
    if (parent !== undefined)
      parent.#children = parent.#children === NO_CHILDREN ? [this] : [...parent.#children, this];
  }

  /** By its id; a message without one by what it says. */
  child(id: string | undefined, gist: string): MessageNode | undefined {
    if (id === undefined) return this.#children.findLast((node) => node.gist === gist);
    return this.#children.findLast((node) => node.ids.includes(id) && node.sameKind(gist));
  }

  /** The program gives results the id of the message with their calls. */
  sameKind(gist: string): boolean {
    return kindOf(this.gist) === kindOf(gist);
  }

  /** The nearest message at or above this one. */
  find(matches: (node: MessageNode) => boolean): MessageNode | undefined {
    for (let node: MessageNode | undefined = this; node?.parent !== undefined; node = node.parent) {
      if (matches(node)) return node;
    }
    return undefined;
  }

  /** What the model is shown at this message in the place of entries above. */
  shown(): ReadonlyMap<EntryId, string> {
    const shown = new Map<EntryId, string>();
    for (let one = this.instead; one !== undefined; one = one.before) {
      if (!shown.has(one.entryId)) shown.set(one.entryId, one.gist);
    }
    return shown;
  }

  /** This message and all whose entries are above it. */
  above(): ReadonlySet<MessageNode> {
    const above = new Set<MessageNode>();
    for (let node: MessageNode | undefined = this; node !== undefined; node = node.below ?? node.parent)
      above.add(node);
    return above;
  }

  /** From the first message to this one. */
  path(): MessageNode[] {
    const path: MessageNode[] = [];
    for (let node: MessageNode | undefined = this; node?.parent !== undefined; node = node.parent) path.push(node);
    return path.reverse();
  }
}

function kindOf(gist: string): string {
  return gist.slice(0, gist.indexOf(":"));
}
