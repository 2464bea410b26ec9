/** Options of /merge and /cherry-pick: whether to bring file changes too. */
import { wrongArguments } from "../arguments.js";

export const FILES_OPTIONS = ["--files", "--words"] as const;

/** Undefined: the setting decides, or the user is asked. */
export function filesWanted(options: ReadonlySet<string>): "follow" | "stay" | undefined {
  const [files, words] = FILES_OPTIONS.map((option) => options.has(option));
  if (files === true && words === true) throw wrongArguments("Use either --files or --words");
  return files === true ? "follow" : words === true ? "stay" : undefined;
}
