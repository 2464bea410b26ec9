/** How the last reply ended, in words. */
import type { BranchEnd } from "./branch-name.js";

export function endWords(end: BranchEnd): string {
  switch (end) {
    case "finished":
      return "reply finished";
    case "failed":
      return "the reply failed";
    case "stopped":
      return "the reply was stopped";
    case "waiting":
      return "no reply yet";
    case "running":
      return "tools were running";
  }
}
