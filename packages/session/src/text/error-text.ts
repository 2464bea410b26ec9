/** The message of a caught value. */
export function errorText(error: unknown): string {
  return error instanceof Error && error.message !== "" ? error.message : String(error);
}
