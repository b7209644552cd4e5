/**
 * Tables and text for a terminal. Text of a server or a visitor is escaped, because a terminal obeys control
 * characters.
 */
import { escapeUnprintable } from '../terminal/text.ts';

export function writeTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cleaned = rows.map((row) => row.map((cell) => escapeUnprintable(String(cell))));
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
