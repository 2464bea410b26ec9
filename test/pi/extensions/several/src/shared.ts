export const double = (n: number): number => 2 * n;
