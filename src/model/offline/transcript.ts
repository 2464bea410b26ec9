/** A conversation written out as text, taken apart again. */
export type Speaker = "user" | "assistant" | "thinking" | "call" | "result" | "summary";

export interface Passage {
  readonly speaker: Speaker;
  readonly text: string;
}

/** Passages that begin with a role in brackets, such as `[User]: …`; lines of other kinds belong to the one before. */
export function readTranscript(text: string): Passage[] {
  const passages: { speaker: Speaker; lines: string[] }[] = [];
  for (const line of text.split("\n")) {
    const start = /^\[([A-Za-z][^\]\n]{0,60})\]:?[ \t]*(.*)$/.exec(line);
    const speaker = start === null ? undefined : speakerOf(start[1] ?? "");
    if (speaker !== undefined) passages.push({ speaker, lines: [start?.[2] ?? ""] });
    else passages.at(-1)?.lines.push(line);
  }
  return passages
    .map(({ speaker, lines }) => ({ speaker, text: lines.join("\n").trim() }))
    .filter((passage) => passage.text !== "");
}

function speakerOf(label: string): Speaker | undefined {
  const words = label.toLowerCase();
  if (/summary/.test(words)) return "summary";
  if (/^(?:tool )?results?\b|tool.*result|bash|output/.test(words)) return "result";
  if (/tool.*calls?|^calls?\b/.test(words)) return "call";
  if (/thinking|reasoning/.test(words)) return "thinking";
  if (/^(?:user|human)\b/.test(words)) return "user";
  return /^(?:assistant|model)\b/.test(words) ? "assistant" : undefined;
}

/** Sentences and list items of a text, each on one line. */
export function sentences(text: string): string[] {
  const found: string[] = [];
  for (const line of text.split("\n")) {
    const plain = line.replace(/^\s*(?:[-*+]|\d+[.)])\s+(?:\[.\]\s+)?/, "").trim();
    if (plain === "" || /^(?:#|```|<\/?[a-z-]+>)/.test(plain)) continue;
    for (const sentence of plain.split(/(?<=[.!?])\s+(?=[A-Z"`'(])/)) {
      if (sentence.trim() !== "") found.push(sentence.trim());
    }
  }
  return found;
}
