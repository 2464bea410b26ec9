// Runs a program as the user nobody, who may do little: node sub-as-nobody.mjs <program> [arguments].
import { pathToFileURL } from "node:url";

process.setgid(65534);
process.setuid(65534);
process.argv.splice(1, 1);
await import(pathToFileURL(process.argv[1]).href);
