/** For transcripts that contain the version of their program, but no format version. */

/** Whether a value is a version with a later major number than the one a reader was made for. */
export function isLaterGeneration(version: unknown, known: number): version is string {
  const major = typeof version === "string" ? /^v?(\d+)(?:\.|$)/.exec(version)?.[1] : undefined;
  return major !== undefined && Number(major) > known;
}
