/** The beginning of a prompt, as a list shows it: one line, and not a long one. */
const LENGTH = 100;

/** What programs put into the text where an image was pasted. */
const IMAGE = /\[Image(?: #\d+|: [^\]]*)\]|<image name=\[Image #\d+\]>|<\/image>/g;

export function promptWords(prompt: string | undefined): string | undefined {
  // A prompt may be a pasted file: only its beginning is looked at.
  const line = prompt
    ?.slice(0, LENGTH * 20)
    .replace(IMAGE, " ")
    .replace(/\s+/g, " ")
    .trim();
  if (line === undefined || line === "") return undefined;
  // By whole characters: half of one is not text.
  return [...line].slice(0, LENGTH).join("").trimEnd();
}

/** The field of a `ForeignSession`; none if there is no prompt. */
export function firstPromptField(prompt: string | undefined): { readonly firstPrompt?: string } {
  const firstPrompt = promptWords(prompt);
  return firstPrompt === undefined ? {} : { firstPrompt };
}
