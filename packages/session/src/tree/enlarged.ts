/** Copies a column of numbers to a larger array. */
export function enlarged<Column extends Int32Array | Uint32Array | Uint8Array | Float64Array>(
  old: Column,
  bigger: Column,
): Column {
  bigger.set(old);
  return bigger;
}
