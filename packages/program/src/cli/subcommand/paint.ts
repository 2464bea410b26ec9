/** Renders lines of views for standard output, with or without the sixteen terminal colors. */
import { withoutControls } from "@bough/session/text/index.js";
import { type Line, lineText, type Tone } from "@bough/session/view/index.js";

/** Words and symbols carry the meaning; colors only repeat it. */
const COLOURS: Readonly<Record<Tone, string>> = {
  text: "",
  muted: "2",
  here: "1;32",
  accent: "36",
  note: "35",
  custom: "35",
  bad: "31",
  good: "32",
  label: "1",
  strong: "1",
  select: "7",
};

export type Paint = (line: Line) => string;

/** Omits trailing spaces and control characters: the content of a session is untrusted, whoever wrote it. */
export function painter(colours: "sixteen" | "none"): Paint {
  if (colours === "none") return (line) => withoutControls(lineText(line)).trimEnd();
  return (line) => {
    let end = line.length;
    while (end > 0 && (line[end - 1]?.text ?? "").trim() === "" && line[end - 1]?.tone !== "select") end -= 1;
    return line
      .slice(0, end)
      .map(({ text, tone }) => {
        const clean = withoutControls(text);
        return COLOURS[tone] === "" || clean === "" ? clean : `\x1b[${COLOURS[tone]}m${clean}\x1b[0m`;
      })
      .join("");
  };
}
