export function renderErrorsPage(
  errorCodes: Readonly<Record<string, string>>,
  problemCodes: Readonly<Record<string, string>>,
): string;
