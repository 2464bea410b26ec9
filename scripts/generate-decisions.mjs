// Writes docs/decisions/README.md: the decisions, oldest first, with their status. `--check` only compares.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const folder = join(dirname(fileURLToPath(import.meta.url)), "..", "docs", "decisions");

/** The index as text. @returns {string} */
export function decisionsPage() {
  const rows = readdirSync(folder)
    .filter((name) => /^\d{4}-.*\.md$/.test(name))
    .sort()
    .map((name) => {
      const [, number, title, status] =
        /^# (\d+)\. (.+)\n\nStatus: (.+)\n/.exec(readFileSync(join(folder, name), "utf8")) ?? [];
      if (status === undefined)
        throw new Error(`docs/decisions/${name} does not begin with "# 7. Title" and "Status: accepted."`);
      return `| ${number} | [${title}](${name}) | ${status} |`;
    });
  return `# Decisions

Each page says what the situation was, what was chosen and what it costs. Made by \`node scripts/generate-decisions.mjs\`.

| | Decision | Status |
| --- | --- | --- |
${rows.join("\n")}
`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const file = join(folder, "README.md");
  if (!process.argv.includes("--check")) writeFileSync(file, decisionsPage());
  else if (readFileSync(file, "utf8") !== decisionsPage()) {
    console.error("docs/decisions/README.md differs, run: node scripts/generate-decisions.mjs");
    process.exitCode = 1;
  }
}
