/** Describes secrets found in a session that would leave this machine. The secrets themselves are masked. */

import { counted, firstWords, withoutControls } from "@bough/session/text/index.js";
import type { SecretFinding } from "../../secrets/index.js";

const MOST = 5;

/** "GitHub token: ghp_…, entry 4fe2a1", one line for each of the first few. */
export function findingLines(findings: readonly SecretFinding[]): readonly string[] {
  const more = findings.length > MOST ? [`and ${findings.length - MOST} more`] : [];
  return [...findings.slice(0, MOST).map(findingLine), ...more];
}

function findingLine({ title, excerpt, entryId }: SecretFinding): string {
  const where = entryId === undefined ? "" : `, entry ${entryId}`;
  return withoutControls(`${title}: ${firstWords(excerpt, 60)}${where}`);
}

/** "this session contains 1 possible secret (GitHub token: ghp_…, entry 4fe2a1)" */
export function keptSentence(findings: readonly SecretFinding[]): string {
  return `this session contains ${counted(findings.length, "possible secret")} (${findingLines(findings).join("; ")})`;
}

export function secretsTitle(findings: readonly SecretFinding[]): string {
  return `This session contains ${counted(findings.length, "possible secret")}. Sync it anyway?`;
}

export function secretsMessage(findings: readonly SecretFinding[]): string {
  const answers = "Yes syncs this session as it is, from now on. No keeps it on this machine; /sync asks again.";
  return [...findingLines(findings), answers].join("\n");
}
