/** The messages of a chat as a tree, in which each successive list of messages is a path. */
import type { EntryId } from "@bough/session/entry/index.js";

/** A replacement that the model sees instead of an entry, linked to earlier replacements. */
export interface ShownInstead {
  readonly entryId: EntryId;
  /** Gist of the replacement. */
  readonly gist: string;
  readonly before: ShownInstead | undefined;
}

const NO_CHILDREN: readonly MessageNode[] = [];

export class MessageNode {
  readonly parent: MessageNode | undefined;
  /** Shared while empty, to save memory: most messages get exactly one child. */
  #children: readonly MessageNode[] = NO_CHILDREN;
  readonly ids: readonly string[];
  /** Gist of its latest version. */
  gist: string;
  /** The first and last entry that the message became; the last entry above if it became none. */
  first: EntryId | null;
  last: EntryId | null;
  /** The last entry that set the leaf, up to this message. */
  talk: EntryId | null;
  /** Replacements of entries up to `last`. */
  instead: ShownInstead | undefined;
  /** For a message repeated by a compressed history, the message below which its entries actually are. */
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

  /** Finds a child by ID or, for a message without one, by gist. */
  child(id: string | undefined, gist: string): MessageNode | undefined {
    if (id === undefined) return this.#children.findLast((node) => node.gist === gist);
    return this.#children.findLast((node) => node.ids.includes(id) && node.sameKind(gist));
  }

  /** Compares message types, since Gemini CLI gives results the same ID as the message with their calls. */
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

  /** Gists of the replacements that apply at this message, by entry. */
  shown(): ReadonlyMap<EntryId, string> {
    const shown = new Map<EntryId, string>();
    for (let one = this.instead; one !== undefined; one = one.before) {
      if (!shown.has(one.entryId)) shown.set(one.entryId, one.gist);
    }
    return shown;
  }

  /** This message and all messages whose entries are above it. */
  above(): ReadonlySet<MessageNode> {
    const above = new Set<MessageNode>();
    for (let node: MessageNode | undefined = this; node !== undefined; node = node.below ?? node.parent)
      above.add(node);
    return above;
  }

  /** The messages from the first to this one. */
  path(): MessageNode[] {
    const path: MessageNode[] = [];
    for (let node: MessageNode | undefined = this; node?.parent !== undefined; node = node.parent) path.push(node);
    return path.reverse();
  }
}

function kindOf(gist: string): string {
  return gist.slice(0, gist.indexOf(":"));
}
