/** The same for all spellings of a name that some file system takes for one. */
export function foldedName(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
