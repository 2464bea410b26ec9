/** Exports for Bough's other rooms only. */
export { projectAgentFiles } from "./agent-files.js";
export { splitFrontMatter } from "./front-matter.js";
export { changeServer, type ServerScope, serversFile } from "./mcp-servers.js";
export { isOwnLocalText } from "./own-local-settings.js";
export { readSkillFiles, type SkillFile, skillTemplates } from "./skills.js";
