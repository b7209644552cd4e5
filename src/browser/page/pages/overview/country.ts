const names = new Intl.DisplayNames(undefined, { type: 'region', fallback: 'none' });

/** The name of a country in the reader's language; codes that are not countries, such as Tor's, are shown unchanged. */
export function formatCountry(code: string): string {
  return (/^[A-Z]{2}$/.test(code) ? names.of(code) : undefined) ?? code;
}
