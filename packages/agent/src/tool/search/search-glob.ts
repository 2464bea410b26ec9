/** Normalizes a glob from the model to a form that both search engines understand. */
import { ToolFailure } from "../tool-failure.js";

/**
 * A glob without a slash matches names at any depth, one with a slash is relative to the searched folder, and a
 * trailing slash means everything below. Undefined if it would match everything.
 */
export function searchGlob(glob: string): string | undefined {
  const negated = glob.startsWith("!");
  let pattern = (negated ? glob.slice(1) : glob).replace(/^(\.?\/)+/, "");
  if (glob.startsWith("/") || glob.startsWith("~")) {
    throw new ToolFailure("A pattern is relative: give the folder as path and the rest as pattern");
  }
  if (pattern.split(/[/{},]/).includes("..")) {
    throw new ToolFailure("A pattern cannot go up (..): give the folder as path and the rest as pattern");
  }
  if (pattern.endsWith("/")) pattern += "**";
  if (pattern === "" || pattern === "*" || pattern === "**" || pattern === "**/*") {
    if (negated) throw new ToolFailure("The pattern excludes everything");
    return undefined;
  }
  const anywhere = pattern.includes("/") ? pattern : `**/${pattern}`;
  return negated ? `!${anywhere}` : anywhere;
}
