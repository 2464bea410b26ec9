/** What other rooms of Bough use of this one, and no one else. */
export { splitFrontMatter } from "./front-matter.js";
export { changeServer, type ServerScope, serversFile } from "./mcp-servers.js";
export { readSkillFiles, type SkillFile, skillTemplates } from "./skills.js";
