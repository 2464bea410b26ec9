/** Slash commands as data, the same for every front end; and the moves they share. */
export * from "./command.js";
