import type { FilesAnswer, FilesQuestion } from "../command.js";

/** What can be answered, the first for Enter; besides, everything can stay as it is. */
export function filesAnswers({
  about,
  hasMove,
}: Pick<FilesQuestion, "about" | "hasMove">): readonly Exclude<FilesAnswer, "stay">[] {
  const isUndo = about === "undo" || about === "undo-command";
  const staysHere = about === "restore" || about === "undo-command";
  return [
    ...(staysHere ? (["files"] as const) : (["both", "conversation", "files"] as const)),
    ...(isUndo && hasMove ? (["move"] as const) : []),
  ];
}
