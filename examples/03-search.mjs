// Search all sessions of a folder: the active path, abandoned branches, and what a compaction hid. Run `npm run build` once before.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SessionManager, searchSessions } from "bough/session";

const dir = mkdtempSync(join(tmpdir(), "bough-example-"));
const session = SessionManager.create(process.cwd(), dir);
const say = (content) => session.appendMessage({ role: "user", content, timestamp: Date.now() });

say("The parser fails on nested quotes");
const fork = say("Where does the parser look ahead?");
say("Rewrite the parser by hand");
session.branch(fork);
const kept = say("Keep the parser, fix the lexer");
session.appendCompaction("We look for a bug around quotes.", kept, 1000);
say("The parser is fine now");
session.close();

// Words, "phrases" and re: patterns; upper and lower case are the same. Without `dir`: every session there is.
for (const query of ["parser", '"nested quotes"', "re:lex|hand$"]) {
  console.log(query);
  for await (const hit of searchSessions(query, { dir, signal: AbortSignal.timeout(60_000) })) {
    console.log(`  ${hit.state.padEnd(9)}  ${hit.role ?? hit.entryType}: ${hit.excerpt}`);
  }
}
