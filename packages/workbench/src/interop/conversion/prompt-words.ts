/** The start of a prompt as one short line, for lists. */
const LENGTH = 100;

/** Placeholders that programs insert for pasted images. */
const IMAGE = /\[Image(?: #\d+|: [^\]]*)\]|<image name=\[Image #\d+\]>|<\/image>/g;

/** As much of a prompt as decides its words. */
export function promptStart(prompt: string): string {
  return prompt.slice(0, LENGTH * 20);
}

export function promptWords(prompt: string | undefined): string | undefined {
  if (prompt === undefined) return undefined;
  // Usually the first few hundred characters decide.
  const short = prompt.slice(0, LENGTH * 4);
  const isEnough = !/[[<]/.test(short) && lineOf(short).length >= LENGTH * 2;
  // A prompt may be a whole pasted file, so process only its start.
  const line = isEnough ? lineOf(short) : lineOf(promptStart(prompt).replace(IMAGE, " "));
  if (line === "") return undefined;
  // Cut between whole characters, of which each is one or two units.
  return [...line.slice(0, LENGTH * 2)].slice(0, LENGTH).join("").trimEnd();
}

function lineOf(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** The `firstPrompt` field of a `ForeignSession`; empty if there is no prompt. */
export function firstPromptField(prompt: string | undefined): { readonly firstPrompt?: string } {
  const firstPrompt = promptWords(prompt);
  return firstPrompt === undefined ? {} : { firstPrompt };
}
