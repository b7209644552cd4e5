/**
 * Reads the entries of a published list: addresses, networks, numbers of networks or host names, one in
 * each line, in a column of CSV, or as strings anywhere in JSON. A text that cannot be parsed completely is not used:
 * part of a block list, or a page about a move, must not replace the entries in force.
 */

export interface PublishedListOptions {
  /** For messages: `network`. */
  readonly name: string;
  readonly isEntry: (text: string) => boolean;
  /** Other strings of JSON are names, times and remarks. */
  readonly isEntryOfJson?: (text: string) => boolean;
  /** Whether numbers of JSON are entries. */
  readonly hasNumbers?: boolean;
}

/** Throws an `Error` that describes the problem. */
export function readPublishedList(text: string, options: PublishedListOptions): string[] {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (trimmed.startsWith('<')) throw new Error('it is HTML or XML, not a list');
  const entries = /^[[{]/.test(trimmed) ? readJson(trimmed, options) : readRows(trimmed, options);
  if (entries.length === 0) throw new Error('it is empty');
  return entries;
}

function readRows(text: string, { name, isEntry }: PublishedListOptions): string[] {
  const entries: string[] = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.replace(/^\s*(?:#|;|\/\/).*|(?<!\s)\s+[#;].*/, '').trim();
    if (line === '') continue;
    const columns = line.split(/[,;\t]/).map((column) => column.trim().replace(/^"(.*)"$/, '$1'));
    const found = columns.find(isEntry);
    if (found !== undefined) entries.push(found);
    // The first line may name the columns.
    else if (index > 0 || columns.length === 1)
      throw new Error(`line ${index + 1} is not a valid ${name}: ${JSON.stringify(line.slice(0, 60))}`);
  }
  return entries;
}

function readJson(
  text: string,
  { isEntry, isEntryOfJson = isEntry, hasNumbers = false }: PublishedListOptions,
): string[] {
  const entries: string[] = [];
  JSON.parse(text, (_key, value: unknown) => {
    const entry = typeof value === 'number' && hasNumbers ? String(value) : value;
    if (typeof entry === 'string' && isEntryOfJson(entry)) entries.push(entry);
    return value;
  });
  return entries;
}
