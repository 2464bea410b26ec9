// Lets `npx bough` work inside this checkout: npm links the commands of what is installed, but not those of the project itself.
// A file of its own and not a link, because a build writes dist/cli/main.js anew and without the right to be executed.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = join(dirname(fileURLToPath(import.meta.url)), "..", "node_modules", ".bin");
const command = join(folder, "bough");
mkdirSync(folder, { recursive: true });
writeFileSync(command, '#!/usr/bin/env node\nimport("../../dist/cli/main.js");\n');
chmodSync(command, 0o755);
