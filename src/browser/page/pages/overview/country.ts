const names = new Intl.DisplayNames(undefined, { type: 'region', fallback: 'none' });

/** The name of a country in the reader's language; codes that are none, such as those of Tor, stay as they are. */
export function formatCountry(code: string): string {
  return (/^[A-Z]{2}$/.test(code) ? names.of(code) : undefined) ?? code;
}
