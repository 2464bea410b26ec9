/**
 * Secrets recognized by their context, in addition to those that secretlint knows. If a pattern has a group named
 * `value`, only that group is the secret.
 */
import { withoutEncoding } from "./decoded-text.js";
import { isNotPlaceholder, type SecretRule, TOKEN_RULES } from "./token-rules.js";

/** Separates unrelated texts in a batch: a Unicode noncharacter. */
export const TEXT_END = "\uffff";

export const SECRET_RULES: readonly SecretRule[] = [
  ...TOKEN_RULES,
  {
    id: "private-key",
    title: "private key",
    pattern:
      /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[^\uffff]{20,20000}?-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/g,
  },
  {
    // Tools truncate long output, so the end may be missing.
    id: "private-key",
    title: "private key",
    pattern:
      /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:\\[nr]|[\s"',+])*(?:[0-9A-Za-z+/=]{16,}(?:\\[nr]|[\s"',+])*)+/g,
  },
  {
    // A file that was read from some line onward may show only the end of a key.
    id: "private-key",
    title: "private key",
    pattern:
      /(?<![0-9A-Za-z+/=])(?:[0-9A-Za-z+/]{16,128}={0,2}["',]*(?:\\[nr]|[\r\n])[\s"']*){1,120}-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/g,
    needs: "PRIVATE KEY",
  },
  {
    // Or only its middle: whole lines as in keys, unless a header says that they are something else.
    id: "private-key",
    title: "part of a private key",
    pattern:
      /^(?:-----BEGIN (?:CERTIFICATE|PUBLIC KEY|RSA PUBLIC KEY|X509 CRL|CERTIFICATE REQUEST|PGP PUBLIC KEY BLOCK|PGP SIGNATURE)-----[0-9A-Za-z+/=\s]{0,20000}|(?<value>(?:(?:[0-9A-Za-z+/]{64}\r?\n){2,500}|(?:[0-9A-Za-z+/]{70}\r?\n){2,500})(?:[0-9A-Za-z+/]{1,70}={0,2}$)?))/gm,
    accepts: isBase64,
  },
  {
    id: "azure-connection",
    title: "Azure account key",
    pattern: /(?:AccountKey|SharedAccessKey)=(?<value>[0-9A-Za-z+/]{40,}={0,2})/g,
  },
  {
    id: "password-in-address",
    title: "password in a URL",
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/'"`<>]{0,80}:(?<value>[^\s:/'"`<>]{3,120})@[^\s@'"`<>]+/gi,
    accepts: isNotPlaceholder,
  },
  {
    // Without a scheme, a percent-encoded symbol distinguishes a password from a time or a port.
    id: "password-in-address",
    title: "password in a URL",
    pattern:
      /(?<=(?<![\w.%+@/-])[\w.%+-]{1,80}:)(?<value>[^\s:/@'"`<>]{0,80}%[2-7][0-9a-f][^\s:/@'"`<>]{0,80})@(?=[a-z0-9[])/gi,
    accepts: isNotPlaceholder,
  },
  {
    // Base64 in a URL: slashes, plus and equals signs are percent-encoded; ordinary words have none.
    id: "token-in-address",
    title: "token in a URL",
    pattern:
      /[?&#](?:[\w-]{0,30}(?:token|secret|passw(?:or)?d|signature|sig|api[_-]?key|access[_-]?key|credential|auth))=(?<value>[^\s&#"'`<>%]{1,200}%(?:2b|2f|3d)[^\s&#"'`<>]{0,400})/gi,
    accepts: isNotPlaceholder,
  },
  {
    id: "authorization-header",
    title: "authorization header",
    pattern:
      /\bauthorization\\{0,7}["']?\s*[:=]\s*\\{0,7}["']?(?:bearer|basic|token|ssws|apikey)\s+(?<value>[0-9A-Za-z._~+/=-]{16,})/gi,
    accepts: isNotPlaceholder,
  },
  {
    id: "assigned-secret",
    title: "value named like a secret",
    pattern:
      /<(?:[\w.-]{0,40}(?:password|passwd|passphrase|secret|token|apikey|api-key))>(?<value>[^\s<>{}$]{6,200})<\//gi,
    accepts: (value) => looksRandom(value),
  },
  {
    id: "assigned-secret",
    title: "value named like a secret",
    pattern: /\bsecret_key_base\\{0,7}["']?\s*[:=]\s*\\{0,7}["']?(?<value>[0-9a-f]{64,256})/g,
  },
  {
    id: "json-web-key",
    title: "private part of a JSON web key",
    pattern:
      /"kty"\s*:\s*"(?:EC|OKP|RSA|oct)"[^{}\uffff]{0,2000}?"(?:d|k|p|q)"\s*:\s*"(?<value>[0-9A-Za-z_-]{16,1024})"/g,
    needs: "kty",
  },
  {
    id: "private-key",
    title: "private key",
    pattern: /\bPrivate-Lines:\s*\d{1,3}(?:\\[nr]|\s)+(?<value>(?:[0-9A-Za-z+/=]{16,64}(?:\\[nr]|\s)*){1,100})/g,
    needs: "Private-Lines",
  },
  {
    id: "slack-webhook",
    title: "Slack webhook",
    pattern: /https:\/\/hooks\.slack\.com\/(?:services|workflows)\/(?<value>[0-9A-Za-z/]{20,})/g,
  },
  {
    id: "assigned-secret",
    title: "value named like a secret",
    // Any name may come before the word, but a long run of letters and digits is data, not a name.
    pattern:
      /(?<![A-Za-z0-9]{31})(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|apikey|access[_-]?key|private[_-]?key|auth[_-]?key|client[_-]?secret)\\{0,7}["']?\s{0,3}(?::|=>?)\s{0,3}\\{0,7}["'`]?(?<value>[^\s"'`,;(){}[\]<>|&\\]{8,200})/gi,
    // Percent codes must not count as letters and digits: `next%20page` is two words.
    accepts: (value) => looksRandom(withoutEncoding(value)),
  },
  {
    id: "sentry-dsn",
    title: "Sentry DSN",
    pattern: /https:\/\/(?<value>[0-9a-f]{32})(?::[0-9a-f]{32})?@[\w.-]*sentry[\w.-]*\//g,
  },
  {
    id: "discord-webhook",
    title: "Discord webhook",
    pattern: /https:\/\/(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks\/(?<value>[0-9]{15,20}\/[0-9A-Za-z_-]{50,100})/g,
  },
  {
    id: "teams-webhook",
    title: "Teams webhook",
    pattern:
      /https:\/\/[\w.-]+\.webhook\.office\.com\/webhookb2\/(?<value>[0-9a-f@-]{60,100}\/IncomingWebhook\/[0-9a-f]{32}[0-9a-f/-]{0,60})/g,
  },
  {
    id: "signed-address",
    title: "signature of a signed URL",
    pattern: /[?&](?:X-Amz-Signature|X-Goog-Signature|Signature|sig)=(?<value>[0-9A-Za-z%+/=_-]{32,1024})/g,
    accepts: isNotPlaceholder,
  },
  {
    id: "cookie",
    title: "cookie",
    // The whole header, since session cookies can have any name.
    pattern:
      /(?:^|[\n"'`])\s*(?:set-)?cookie\\{0,3}["']?\s*:\s*\\{0,3}["']?(?<value>[\w.-]{1,60}=[^\s"'`;,]{12,4096}(?:; ?[\w.-]{1,60}=[^\s"'`;,]{1,4096}){0,40})/gi,
    accepts: (value) => value.split(/; ?/).some((pair) => looksRandom(pair.slice(pair.indexOf("=") + 1))),
  },
  {
    id: "kube-key",
    title: "key in a kubeconfig",
    pattern: /\bclient-key-data["']?\s*:\s*["']?(?<value>[0-9A-Za-z+/]{40,8192}={0,2})/g,
  },
  {
    id: "docker-auth",
    title: "registry login",
    pattern: /"auth"\s*:\s*"(?<value>[0-9A-Za-z+/]{16,1024}={0,2})"/g,
    accepts: isNotPlaceholder,
  },
  {
    id: "netrc-password",
    title: "password in a netrc line",
    pattern: /\bmachine\s{1,4}\S{1,255}\s{1,4}login\s{1,4}\S{1,255}\s{1,4}password\s{1,4}(?<value>[^\s"'`]{4,200})/g,
    accepts: isNotPlaceholder,
  },
  {
    id: "pgpass-password",
    title: "password in a pgpass line",
    pattern: /^[\w.*-]{1,255}:(?:\d{2,5}|\*):[\w*-]{1,63}:[\w.-]{1,63}:(?<value>[^\s:]{6,200})$/gm,
    accepts: isNotPlaceholder,
  },
  {
    id: "wireguard-key",
    title: "WireGuard key",
    pattern: /\b(?:PrivateKey|PresharedKey)\s*=\s*(?<value>[0-9A-Za-z+/]{43}=)/g,
  },
  {
    id: "command-password",
    title: "password on a command line",
    pattern:
      /\b(?:curl|wget|http|https)\b[^\n|;&]{0,400}?\s(?:-u|--user|-a|--auth)[ =]?["']?[\w.@+-]{1,80}:(?<value>[^\s"'`:]{3,200})/g,
    accepts: isNotPlaceholder,
  },
  {
    id: "command-password",
    title: "password on a command line",
    pattern:
      /\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump|sshpass)\b[^\n|;&]{0,400}?\s-p ?["']?(?<value>[^\s"'`-][^\s"'`]{3,200})/g,
    accepts: isNotPlaceholder,
  },
  {
    id: "command-password",
    title: "password on a command line",
    pattern:
      /\b(?:docker|podman|nerdctl|buildah|helm registry|oras|crane)\b[^\n|;&]{0,200}?\blogin\b[^\n|;&]{0,400}?\s-p[ =]?["']?(?<value>[^\s"'`$-][^\s"'`]{3,200})/g,
    accepts: isNotPlaceholder,
  },
  {
    id: "command-password",
    title: "password on a command line",
    pattern: /\s-{1,2}(?:passin|passout|pass|password|k)[ =]pass:(?<value>[^\s"'`$]{4,200})/g,
    accepts: isNotPlaceholder,
  },
  {
    id: "command-password",
    title: "password on a command line",
    pattern: /\b(?:redis-cli|valkey-cli)\b[^\n|;&]{0,400}?\s(?:-a|--pass)[ =]["']?(?<value>[^\s"'`]{4,200})/g,
    accepts: isNotPlaceholder,
  },
  {
    id: "command-password",
    title: "password on a command line",
    pattern:
      /\s--(?:password|passphrase|secret|token|api-key|client-secret)[ =]["']?(?<value>[^\s"'`$<>|&;-][^\s"'`<>|&;]{5,200})/g,
    accepts: (value) => looksRandom(value),
  },
];

/** Requires digits, uppercase letters and lowercase ones after f: hex checksums are as long as the lines of a key. */
function isBase64(value: string): boolean {
  return (
    !value.startsWith("-----BEGIN") &&
    [/[A-Z]/, /[g-z]/, /[0-9]/].every((kind) => kind.test(value)) &&
    entropyOf(value) >= 4.5
  );
}

/** Letters and digits mixed as in no word. After names like `token`, only the shape of the value can decide. */
function looksRandom(value: string): boolean {
  if (!isNotPlaceholder(value)) return false;
  if (!/[0-9]/.test(value) || !/[A-Za-z]/.test(value)) return false;
  // Code: calls, members, versions, paths, and identifiers with a number in them.
  if (
    /^[a-z_$][\w$]*\.[a-z_$]|^\d+(?:\.\d+)+|^[./~]|::|\/\/|^(?:[A-Z]?[a-z]{2,}|[A-Z]{2,}|[_$])+\d{1,3}(?:[A-Z]?[a-z]{2,}|[_$])*$/.test(
      value,
    )
  )
    return false;
  return entropyOf(value) >= (value.length >= 20 ? 3.4 : 2.8);
}

/** Shannon entropy in bits per character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const sign of text) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
