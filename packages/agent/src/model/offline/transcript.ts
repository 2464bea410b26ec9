/** Parses a conversation that was written out as text. */
type Speaker = "user" | "assistant" | "thinking" | "call" | "result" | "failure" | "summary";

export interface Passage {
  readonly speaker: Speaker;
  readonly text: string;
}

/** Splits a transcript at roles in brackets, such as `[User]: …`; other lines belong to the passage before them. */
export function readTranscript(text: string): Passage[] {
  const passages: { speaker: Speaker; lines: string[] }[] = [];
  for (const line of text.split("\n")) {
    const start = /^\[([A-Za-z][^\]\n]{0,60})\]:[ \t]*(.*)$/.exec(line);
    const speaker = start === null ? undefined : speakerOf(start[1] ?? "");
    if (speaker === undefined) passages.at(-1)?.lines.push(line);
    else passages.push({ speaker, lines: [`${toolIn(start?.[1] ?? "", speaker)}${start?.[2] ?? ""}`] });
  }
  return passages
    .map(({ speaker, lines }) => ({ speaker, text: lines.join("\n").trim() }))
    .filter((passage) => passage.text !== "");
}

function speakerOf(label: string): Speaker | undefined {
  const words = label.toLowerCase();
  if (/^(?:summary|note)\b|summary$/.test(words)) return "summary";
  if (/\bresults?\b|\bran\b|\boutput\b/.test(words)) return /\berror|failed/.test(words) ? "failure" : "result";
  if (/\bcalls?\b/.test(words)) return "call";
  if (/thinking|reasoning/.test(words)) return "thinking";
  if (/^(?:user|human)\b/.test(words)) return "user";
  return /^(?:assistant|model)\b/.test(words) ? "assistant" : undefined;
}

/** The tool named in a label such as `[Assistant calls read]`. */
function toolIn(label: string, speaker: Speaker): string {
  const name = speaker === "call" ? /\bcalls? (\S+)$/.exec(label)?.[1] : undefined;
  return name === undefined ? "" : `${name} `;
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
