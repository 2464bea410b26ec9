/** Text without characters that a terminal would obey; tabs and line breaks stay. */
export function plainText(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
}
