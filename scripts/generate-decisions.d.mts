/** The index as text. */
export function decisionsPage(): string;
