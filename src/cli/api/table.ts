/** Tables and text for a terminal. What comes from a server or a visitor is cleaned: a terminal obeys control characters. */

export function writeTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cleaned = rows.map((row) => row.map((cell) => cleanText(String(cell))));
  const isNumber = head.map(
    (_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number'),
  );
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cleaned.map((row) => row[column]!.length)),
  );
  const lines = [head, ...cleaned].map((row) =>
    row
      .map((cell, column) =>
        isNumber[column] ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
      )
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

/** Control characters, and those that change the direction of text, as escapes. */
export function cleanText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- they are what must not be printed
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, (character) => {
    return String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
