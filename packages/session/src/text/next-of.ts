/** The value after this one in a list, or before it; the ends follow each other. An unknown value gives the first. */
export function nextOf<Value>(values: readonly Value[], value: Value, step: 1 | -1 = 1): Value {
  return values[(values.indexOf(value) + step + values.length) % values.length] as Value;
}
