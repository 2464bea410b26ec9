/** Detects the kind of a file from its first bytes, never from its name. */

export type TextEncoding = "utf-8" | "utf-16le" | "utf-16be";
type FileKind =
  | { readonly kind: "text"; readonly encoding: TextEncoding }
  | { readonly kind: "image"; readonly mimeType: string }
  /** `what` names the format if it is known. */
  | { readonly kind: "binary"; readonly what?: string };

/** Number of leading bytes to look at. */
export const KIND_BYTES = 8192;

const SIGNATURES: readonly { readonly bytes: string; readonly what: string }[] = [
  { bytes: "%PDF-", what: "a PDF document" },
  { bytes: "PK\x03\x04", what: "a ZIP archive" },
  { bytes: "\x1f\x8b", what: "a gzip archive" },
  { bytes: "\x7fELF", what: "a program" },
  { bytes: "SQLite format 3\0", what: "an SQLite database" },
];

export function fileKind(head: Buffer): FileKind {
  const image = imageType(head);
  if (image !== undefined) return { kind: "image", mimeType: image };
  if (head[0] === 0xff && head[1] === 0xfe) return { kind: "text", encoding: "utf-16le" };
  if (head[0] === 0xfe && head[1] === 0xff) return { kind: "text", encoding: "utf-16be" };
  const known = SIGNATURES.find(({ bytes }) => head.subarray(0, bytes.length).equals(Buffer.from(bytes, "latin1")));
  if (known !== undefined) return { kind: "binary", what: known.what };
  return isText(head) ? { kind: "text", encoding: "utf-8" } : { kind: "binary" };
}

function imageType(head: Buffer): string | undefined {
  const start = head.toString("latin1", 0, 12);
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (start.startsWith("GIF87a") || start.startsWith("GIF89a")) return "image/gif";
  if (start.startsWith("RIFF") && start.slice(8, 12) === "WEBP") return "image/webp";
  return undefined;
}

/** Not text if it has a NUL byte or more than 10% odd characters; a few invalid bytes are allowed. */
function isText(head: Buffer): boolean {
  if (head.includes(0)) return false;
  let odd = 0;
  for (const byte of head) if (byte < 8 || (byte > 13 && byte < 32 && byte !== 27)) odd++;
  for (const character of head.toString("utf8")) if (character === "\ufffd") odd++;
  return odd <= head.length / 10;
}
