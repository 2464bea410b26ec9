/** Programs that name their own version in a transcript, and none for its format. */

/** Whether a version is of a later generation than the one a reader was made for. What is not a version is not. */
export function isLaterGeneration(version: unknown, known: number): version is string {
  const major = typeof version === "string" ? /^v?(\d+)(?:\.|$)/.exec(version)?.[1] : undefined;
  return major !== undefined && Number(major) > known;
}
