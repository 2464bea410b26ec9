/** Changing a JSON file of settings: everything else in it stays, and a file that cannot be understood is left alone. */
import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { CodedError } from "@bough/session/entry/index.js";
import { changeFile, isInside } from "@bough/session/log/index.js";
import { errorText, isRecord, settingsValue } from "@bough/session/text/index.js";
import { SettingsError } from "./settings-error.js";

type JsonObject = Readonly<Record<string, unknown>>;

interface SettingsFileChange {
  readonly file: string;
  /** The folder the file may not lead out of. */
  readonly within: string;
  /** "The rule", for "The rule could not be saved". */
  readonly what: string;
  /** `refused` makes an error of a reason such as "`permissions` must be an object". */
  readonly change: (settings: JsonObject, refused: (reason: string) => Error) => JsonObject;
}

/** Throws `bad-settings`, or the error with a code that `change` throws; then nothing has changed. */
export function changeSettingsFile({ file, within, what, change }: SettingsFileChange): void {
  const refused = (reason: string) =>
    new SettingsError("bad-settings", `${file} was left as it is, because ${reason}`, {
      data: { file },
      hint: "Correct the file, or move it away, and try again.",
    });
  try {
    // A project could bring a link that leads to a file of yours.
    if (!leadsInside(file, within)) throw refused("it leads out of this folder");
    changeFile(
      file,
      (before) => {
        const settings = before === undefined || before.trim() === "" ? {} : parsed(before, refused);
        return `${JSON.stringify(change(settings, refused), null, 2)}\n`;
      },
      refused,
    );
  } catch (error) {
    if (error instanceof CodedError) throw error;
    throw new SettingsError("bad-settings", `${what} could not be saved: ${errorText(error)}`, {
      data: { file },
      hint: "Check that the file is writable.",
      cause: error,
    });
  }
}

function leadsInside(file: string, within: string): boolean {
  for (let path = file; ; path = dirname(path)) {
    try {
      return isInside(realpathSync(within), realpathSync(path));
    } catch {
      // Not there yet: what it is in decides.
      if (path === dirname(path)) return false;
    }
  }
}

function parsed(text: string, refused: (reason: string) => Error): JsonObject {
  const read = settingsValue(text);
  if (read.kind === "unusable") throw refused(`it is ${read.reason}`);
  const { value } = read;
  if (!isRecord(value)) throw refused("it is not a JSON object");
  return value;
}
