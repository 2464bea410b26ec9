/** The text of a file, if it is text. */

/** Undefined for whatever is not UTF-8: a diff of it could not be applied. */
export function textContent(content: Buffer): string | undefined {
  if (content.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return undefined;
  }
}
