/** Exports for Bough's other rooms only. */
export { splitFrontMatter } from "./front-matter.js";
export { changeServer, type ServerScope, serversFile } from "./mcp-servers.js";
export { readSkillFiles, type SkillFile, skillTemplates } from "./skills.js";
