/** The same result for all spellings that some file system treats as one name. */
export function foldedName(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
