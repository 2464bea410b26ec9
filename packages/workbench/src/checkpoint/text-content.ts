/** The text of a file, if it is text. */

/** Undefined unless the content is UTF-8, because a diff of anything else could not be applied. */
export function textContent(content: Buffer): string | undefined {
  if (content.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return undefined;
  }
}
