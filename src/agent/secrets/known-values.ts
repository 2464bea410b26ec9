/** Secrets this machine knows: values of environment variables with telling names, in the forms they travel in. */

const TELLING = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|(?:^|_)(?:PWD|PAT|AUTH)$/i;
/** Names that tell, and values that do not. */
const HARMLESS = /^(?:SSH_AUTH_SOCK|OLDPWD|PWD|KEYTIMEOUT|GPG_TTY|XAUTHORITY|TOKENIZERS_PARALLELISM)$/i;
const SHORTEST = 8;

export interface KnownValue {
  /** The variable. */
  readonly name: string;
  /** The value, or a form of it. */
  readonly text: string;
}

export function knownValues(environment: Readonly<Record<string, string | undefined>>): KnownValue[] {
  const known: KnownValue[] = [];
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || value.length < SHORTEST || !TELLING.test(name) || HARMLESS.test(name)) continue;
    // A path names a secret, it is none. And a word that everyone uses would mask half of the text.
    if (/^[/~]|^(?:true|false|enabled|disabled|required)$/i.test(value) || new Set(value).size < 4) continue;
    for (const text of formsOf(value)) known.push({ name, text });
  }
  // The longest first: a value that contains another is found as a whole.
  return known.sort((a, b) => b.text.length - a.text.length);
}

function formsOf(value: string): Set<string> {
  const forms = new Set([value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]);
  // Inside a longer text that was encoded as a whole, the value may start at any of three places.
  for (let shift = 0; shift < 3; shift++) {
    const encoded = Buffer.from("\0".repeat(shift) + value, "utf8").toString("base64");
    const inner = encoded.slice(shift === 0 ? 0 : 4).replace(/=+$/, "");
    const stable = inner.slice(0, inner.length - (encoded.endsWith("=") ? 1 : 0));
    if (stable.length >= 12) forms.add(stable);
  }
  return forms;
}
