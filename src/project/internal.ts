/** What other rooms of Bough use of this one, and no one else. */
export { splitFrontMatter } from "./front-matter.js";
export { readSkillFiles, type SkillFile } from "./skills.js";
