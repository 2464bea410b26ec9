/** Extensions see keys and pastes before anyone else. */
import { decodeKey } from "../terminal/decode-key.js";
import type { InputEvent } from "../terminal/input-event.js";
import type { ExtensionScreen } from "./extension-screen.js";

/** What is left for others; undefined if an extension took it. Ctrl+C always arrives: it is the way out. */
export function filteredInput(screen: Pick<ExtensionScreen, "filterInput">, event: InputEvent): InputEvent | undefined {
  if (event.kind !== "key" && event.kind !== "paste") return event;
  const data = event.kind === "key" ? event.key.raw : `\x1b[200~${event.text}\x1b[201~`;
  const left = screen.filterInput(data);
  if (left === data || (event.kind === "key" && event.key.name === "ctrl+c")) return event;
  if (left === undefined) return undefined;
  const pasted = /^\x1b\[200~([\s\S]*)\x1b\[201~$/.exec(left)?.[1];
  if (pasted !== undefined) return { kind: "paste", text: pasted };
  const key = decodeKey(left);
  return key === undefined ? { kind: "paste", text: left } : { kind: "key", key };
}
