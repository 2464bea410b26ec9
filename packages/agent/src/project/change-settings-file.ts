/** Changes a JSON settings file. Everything else in it stays, and a file that cannot be parsed is not changed. */
import { realpathSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { CodedError } from "@bough/session/entry/index.js";
import { changeFile, isInside } from "@bough/session/log/index.js";
import { errorText, isRecord, settingsValue } from "@bough/session/text/index.js";
import { SettingsError } from "./settings-error.js";

/** The settings of this checkout, in `.bough`. */
export const LOCAL_SETTINGS = "settings.local.json";

type JsonObject = Readonly<Record<string, unknown>>;

interface SettingsFileChange {
  readonly file: string;
  /** The folder that the file must be in, after following links. */
  readonly within: string;
  /** Subject of the error message, such as "The rule" in "The rule could not be saved". */
  readonly what: string;
  /** `refused` creates an error from a reason such as "`permissions` must be an object". */
  readonly change: (settings: JsonObject, refused: (reason: string) => Error) => JsonObject;
}

/** Throws `bad-settings`, or the coded error thrown by `change`, without having changed anything. */
export function changeSettingsFile({ file, within, what, change }: SettingsFileChange): void {
  const refused = (reason: string) =>
    new SettingsError("bad-settings", `${file} was not changed, because ${reason}`, {
      data: { file },
      hint: "Correct the file, or move it away, and try again.",
    });
  try {
    // A project could contain a link to one of the user's own files.
    if (!leadsInside(file, within)) throw refused("it leads outside of this folder");
    changeFile(
      file,
      (before) => {
        const settings = before === undefined || before.trim() === "" ? {} : parsed(before, refused);
        return `${JSON.stringify(change(settings, refused), null, 2)}\n`;
      },
      refused,
    );
    if (basename(file) === LOCAL_SETTINGS) keepFromGit(file);
  } catch (error) {
    if (error instanceof CodedError) throw error;
    throw new SettingsError("bad-settings", `${what} could not be saved: ${errorText(error)}`, {
      data: { file },
      hint: "Check that the file is writable.",
      cause: error,
    });
  }
}

/** Settings of one checkout are not for the repository. A `.gitignore` that exists is the project's own. */
function keepFromGit(file: string): void {
  try {
    writeFileSync(join(dirname(file), ".gitignore"), `${LOCAL_SETTINGS}\n.gitignore\n`, { flag: "wx" });
  } catch {
    // The setting is saved; git showing the file does no harm.
  }
}

function leadsInside(file: string, within: string): boolean {
  for (let path = file; ; path = dirname(path)) {
    try {
      return isInside(realpathSync(within), realpathSync(path));
    } catch {
      // Does not exist yet: check its parent.
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
