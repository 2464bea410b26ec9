/** Whether another program's session is imported, so that work can continue in the copy. */
import type { ForeignPlace } from "../../interop/index.js";
import type { Desk } from "../../tui/index.js";
import { askChoice } from "../../tui/index.js";
import { span } from "../../view/index.js";
import { wrapWords } from "../../view/internal.js";
import { importQuestion } from "../start/import-question.js";

export function askImport(desk: Desk, place: ForeignPlace): Promise<"import" | "cancel"> {
  const sentences = importQuestion(place);
  return askChoice<"import" | "cancel">(desk, {
    name: "import",
    lines: ({ width }) => sentences.flatMap((text) => wrapWords(text, width - 2)).map((line) => [span(` ${line}`)]),
    choices: [
      { keys: ["enter"], answer: "import", label: "import it", detail: "and continue in the import" },
      { keys: ["esc"], answer: "cancel", label: "leave it" },
    ],
    cancel: "cancel",
  });
}
