/** What a tool is about to do, in a few lines: enough to say yes or no. */
import { type Line, span, type Tone, withoutControls } from "../../view/index.js";

/** A preview that nobody reads to its end helps nobody. */
const MOST_LINES = 400;
const MOST_CHARACTERS = 60_000;

/** From the input of the call that asks. Empty where the target says it all. */
export function permissionPreview(input: unknown): readonly Line[] {
  if (typeof input !== "object" || input === null) return [];
  const { edits, content } = input as { readonly edits?: unknown; readonly content?: unknown };
  if (Array.isArray(edits)) return edits.slice(0, MOST_LINES).flatMap(editLines).slice(0, MOST_LINES);
  return typeof content === "string" ? textLines(content, { sign: "+", tone: "good" }) : [];
}

function editLines(edit: unknown): readonly Line[] {
  if (typeof edit !== "object" || edit === null) return [];
  const { oldText, newText, replaceAll } = edit as Readonly<Record<string, unknown>>;
  const place: Line = [span(replaceAll === true ? "@@ everywhere" : "@@", "muted")];
  return [place, ...textLines(oldText, { sign: "-", tone: "bad" }), ...textLines(newText, { sign: "+", tone: "good" })];
}

function textLines(text: unknown, { sign, tone }: { readonly sign: string; readonly tone: Tone }): readonly Line[] {
  if (typeof text !== "string" || text === "") return [];
  const lines = withoutControls(text.slice(0, MOST_CHARACTERS)).replace(/\n$/, "").replaceAll("\t", "  ").split("\n");
  const shown = lines.slice(0, MOST_LINES).map((line): Line => [span(`${sign} ${line}`, tone)]);
  const more = lines.length - shown.length;
  return more > 0 || text.length > MOST_CHARACTERS ? [...shown, [span("  and more", "muted")]] : shown;
}
