/** Whether an ID from a transcript is safe as a file name: transcripts are untrusted, so reject path traversal. */
export function isFileName(id: string): boolean {
  return id !== "" && id !== "." && id !== ".." && !/[\\/\0]/.test(id);
}
