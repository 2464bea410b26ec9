/** What the agent can do: read, write, edit, bash, grep, find, ls; permissions. */
export * from "./tool.js";
