/**
 * Writes docs/reference/error-codes.md from the catalogue of codes; `error-codes.test.ts` checks that it is current.
 *
 *     node tools/error-codes.ts
 */
import { writeFileSync } from 'node:fs';
import { codeFamilies } from '#contract';

export const errorCodesPage = new URL('../docs/reference/error-codes.md', import.meta.url);

export function writeErrorCodes(): string {
  const chapters = Object.entries(codeFamilies).map(([title, family]) => {
    const rows = Object.values(family)
      .toSorted((a, b) => a.code - b.code || a.status - b.status || a.message.localeCompare(b.message))
      .map(
        ({ code, status, message, advice }) => `| ${code} | ${status} | ${cell(message)} | ${cell(advice)} |`,
      );
    return [
      `## ${title}`,
      '',
      '| code | status | message | what to do |',
      '|---|---|---|---|',
      ...rows,
      '',
    ].join('\n');
  });
  return `${head}\n${chapters.join('\n')}`;
}

const head = `# Error codes

A failure is answered with \`"success": false\` and at least one entry in \`errors\`: a \`code\`, a \`message\`, and where they fit
\`source.pointer\` (a JSON pointer to what is wrong in the body) and \`meta.id\` (the object that stands in the way). A failed
operation has changed nothing, unless this page says otherwise. Codes with status 200 come in \`messages\` of an operation that
was done. Words in braces stand for something of the request.

This page is made from the catalogue in \`src/api/contract/codes/\` by \`node tools/error-codes.ts\`.
`;

/** A bar would end the cell, and outside of code a word in angle brackets would be parsed as a tag. */
function cell(text: string): string {
  const parts = text.replaceAll('|', '\\|').replaceAll('\n', ' ').split('`');
  return parts.map((part, index) => (index % 2 === 1 ? part : part.replaceAll('<', '&lt;'))).join('`');
}

if (import.meta.main) writeFileSync(errorCodesPage, writeErrorCodes());
