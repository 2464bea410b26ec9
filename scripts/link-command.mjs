// Makes `npx bough` work in this checkout: npm links the commands of installed packages, but not those of the project
// itself. Writes a file rather than a link, because a build replaces dist/cli/main.js without making it executable.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = join(dirname(fileURLToPath(import.meta.url)), "..", "node_modules", ".bin");
const command = join(folder, "bough");
mkdirSync(folder, { recursive: true });
writeFileSync(command, '#!/usr/bin/env node\nimport("../../dist/cli/main.js");\n');
chmodSync(command, 0o755);
