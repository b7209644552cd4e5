/** Tables in Markdown. */
export interface Table {
  readonly title: string;
  /** Columns after the first are aligned to the right, except the last, which contains the target. */
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function markdownOf({ title, header, rows }: Table): string {
  const rule = header.map((_, column) => (column === 0 || column === header.length - 1 ? '---' : '---:'));
  const lines = [header, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `\n### ${title}\n\n${lines.join('\n')}`;
}

export function target(text: string, isMet: boolean): string {
  return `${text} ${isMet ? '✓' : '✗'}`;
}
