/** What a caught value says, for a message. */
export function errorText(error: unknown): string {
  return error instanceof Error && error.message !== "" ? error.message : String(error);
}
