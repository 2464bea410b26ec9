/** Ids inside transcripts name files. A transcript is someone else's word, so an id must not lead anywhere else. */
export function isFileName(id: string): boolean {
  return id !== "" && id !== "." && id !== ".." && !/[\\/\0]/.test(id);
}
