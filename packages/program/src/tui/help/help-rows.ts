/** The contents of help as rows: keys and commands, with the reasons why some are disabled. */

import { wordMatcher } from "@bough/session/text/index.js";
import type { ListedCommand } from "../../command/index.js";
import type { KeyMap } from "../keys/key-map.js";
import { keyHint } from "../keys/key-names.js";

export type HelpRow =
  | { readonly kind: "title"; readonly text: string }
  /** What is pressed or typed, what it does, and why it does nothing now. */
  | { readonly kind: "entry"; readonly name: string; readonly text: string; readonly off?: string }
  | { readonly kind: "text"; readonly text: string };

export interface HelpScope {
  readonly id: string;
  readonly title: string;
}

export interface HelpContent {
  readonly keys: KeyMap;
  /** Sections in this order; one without actions is omitted. */
  readonly scopes: readonly HelpScope[];
  readonly disabledReason?: ((actionId: string) => string | undefined) | undefined;
  readonly commands?: readonly { readonly title: string; readonly commands: readonly ListedCommand[] }[];
}

export function helpRows({ keys, scopes, disabledReason, commands = [] }: HelpContent): readonly HelpRow[] {
  const rows: HelpRow[] = [];
  for (const { title, commands: listed } of commands) {
    rows.push({ kind: "title", text: title });
    for (const { name, usage, summary, reason } of listed) {
      const typed = usage === "" ? `/${name}` : `/${name} ${usage}`;
      rows.push({ kind: "entry", name: typed, text: summary, off: reason });
    }
  }
  for (const { id, title } of scopes) {
    const actions = keys.actionsOf(id);
    if (actions.length === 0) continue;
    rows.push({ kind: "title", text: title });
    for (const action of actions) {
      const reason = action.keys.length === 0 ? "No key is bound." : disabledReason?.(action.id);
      const name = action.keys.map(keyHint).join(", ");
      rows.push({
        kind: "entry",
        name: name === "" ? action.id : name,
        text: action.help,
        off: reason,
      });
    }
  }
  return rows;
}

/** All about one command: its arguments, what it does, and why it is disabled. */
export function commandRows({ name, usage, summary, details, aliases, reason }: ListedCommand): readonly HelpRow[] {
  const typed = usage === "" ? `/${name}` : `/${name} ${usage}`;
  const also = aliases.map((alias) => `/${alias}`).join(" ");
  return [
    { kind: "title", text: typed },
    { kind: "text", text: `${summary}.` },
    ...(details === "" ? [] : [{ kind: "text", text: details } as const]),
    ...(also === "" ? [] : [{ kind: "text", text: `Also: ${also}` } as const]),
    ...(reason === undefined ? [] : [{ kind: "text", text: `Unavailable: ${reason}` } as const]),
  ];
}

/** Rows that contain every word, below their titles. */
export function matchingRows(rows: readonly HelpRow[], typed: string): readonly HelpRow[] {
  if (typed.trim() === "") return rows;
  const fits = wordMatcher(typed);
  const found: HelpRow[] = [];
  let title: HelpRow | undefined;
  for (const row of rows) {
    if (row.kind === "title") {
      title = row;
      continue;
    }
    const text = row.kind === "entry" ? `${row.name} ${row.text} ${row.off ?? ""}` : row.text;
    if (!fits(text)) continue;
    if (title !== undefined) found.push(title);
    title = undefined;
    found.push(row);
  }
  return found;
}
