/** Printable ASCII by how often it stands in session files, most often first: text, code and JSON together. */
const BY_FREQUENCY = ` "etaosinrl,c:dpm0uh12\\.fgb-3}{4y5_6w8v79/k(x)';ESTAqCIRN=jO[]DPLM*z>F<BUGH&#VW+$|KYXQZ@!?J%\`^~`;

const SHARES = shares();

/** A rough share of the bytes of a file that are one of `bytes`, between 0 and 1. */
export function commonness(bytes: readonly number[]): number {
  return bytes.reduce((sum, byte) => sum + (SHARES[byte] as number), 0);
}

function shares(): Float64Array {
  // Bytes beyond ASCII: in a file that has them at all the first byte of a character is often the same.
  const table = new Float64Array(256).fill(0.01);
  for (let byte = 0xc0; byte < 0x100; byte++) table[byte] = 0.1;
  for (const [rank, character] of [...BY_FREQUENCY].entries()) {
    table[character.charCodeAt(0)] = 0.15 / (rank + 1);
  }
  return table;
}
