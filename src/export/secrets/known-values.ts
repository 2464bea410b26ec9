/** Secrets this machine knows: values of environment variables with telling names, in the forms they travel in. */
import { isOrdinary } from "./ordinary-value.js";

const TELLING = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|(?:^|_)(?:PWD|PAT|AUTH)$/i;
/** Names that tell, and values that do not. */
const HARMLESS = /^(?:SSH_AUTH_SOCK|OLDPWD|PWD|KEYTIMEOUT|GPG_TTY|XAUTHORITY|TOKENIZERS_PARALLELISM)$/i;
const SHORTEST = 8;

interface KnownValue {
  /** The variable. */
  readonly name: string;
  /** The value, or a form of it. */
  readonly text: string;
  /** A word that is in everyone's mouth: secret only if it is as someone's password. */
  readonly needsContext: boolean;
}

export function knownValues(environment: Readonly<Record<string, string | undefined>>): KnownValue[] {
  const known: KnownValue[] = [];
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || value.length < SHORTEST || !TELLING.test(name) || HARMLESS.test(name)) continue;
    // A path names a secret, it is none. And a word that everyone uses would mask half of the text.
    if (/^[/~]|^(?:true|false|enabled|disabled|required)$/i.test(value) || new Set(value).size < 4) continue;
    for (const text of formsOf(value)) known.push({ name, text, needsContext: isOrdinary(value) && text === value });
  }
  // The longest first: a value that contains another is found as a whole.
  return known.sort((a, b) => b.text.length - a.text.length);
}

export function* knownIn(
  text: string,
  known: readonly KnownValue[],
): Generator<{ readonly name: string; readonly start: number; readonly end: number }> {
  for (const one of known) {
    const { length } = one.text;
    for (let at = text.indexOf(one.text); at >= 0; at = text.indexOf(one.text, at + length)) {
      if (!one.needsContext || standsAsSecret(text, at, one)) yield { name: one.name, start: at, end: at + length };
    }
  }
}

const CALLED_SECRET =
  /(?:pass(?:word|wd|phrase)?|pwd|secret|token|key|auth(?:orization)?|credentials?|pat)\\{0,7}["'`\]]{0,2}\s{0,3}(?::|=>?)\s{0,3}\\{0,7}["'`]?$/i;

const FLAG = /(?:^|\s)--?[\w-]{0,30}(?:pass\w{0,6}|pwd|secret|token|key)\s{1,3}["']?$/i;

/** After a name that says so, or between a colon and the at sign of an address; and its own word. */
function standsAsSecret(text: string, at: number, { text: value }: KnownValue): boolean {
  const before = text.slice(Math.max(0, at - 60), at);
  const after = text.slice(at + value.length, at + value.length + 1);
  if (/[\p{L}\p{N}_]/u.test(after)) return false;
  return CALLED_SECRET.test(before) || FLAG.test(before) || (before.endsWith(":") && after === "@");
}

function formsOf(value: string): Set<string> {
  const forms = new Set([value, JSON.stringify(value).slice(1, -1)]);
  // Inside a longer text that was encoded as a whole, the value may start at any of three places.
  for (let shift = 0; shift < 3; shift++) {
    const encoded = Buffer.from("\0".repeat(shift) + value, "utf8").toString("base64");
    const inner = encoded.slice(shift === 0 ? 0 : 4).replace(/=+$/, "");
    const stable = inner.slice(0, inner.length - (encoded.endsWith("=") ? 1 : 0));
    if (stable.length >= 12) forms.add(stable);
  }
  return forms;
}
