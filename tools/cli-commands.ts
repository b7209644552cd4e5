/** Generates the table of commands in docs/reference/cli.md from the commands themselves. */
import { readFileSync, writeFileSync } from 'node:fs';
import { loadCommands } from '#cli';

const commands = await loadCommands();

export const cliPage = new URL('../docs/reference/cli.md', import.meta.url);

const begin = '<!-- commands: made by node tools/cli-commands.ts -->\n';
const end = '<!-- end of commands -->\n';

/** The page with the generated table. */
export function writeCliPage(page: string): string {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from === -1 || to < from)
    throw new Error(`docs/reference/cli.md lacks ${begin.trim()} … ${end.trim()}`);
  const rows = commands.map(({ name, parameters, summary }) => {
    const written = `gatehouse ${name}${parameters === '' ? '' : ` ${parameters}`}`;
    return `| \`${escapeCell(written)}\` | ${escapeCell(summary)} |`;
  });
  const table = ['| command | |', '|---|---|', ...rows, ''].join('\n');
  return `${page.slice(0, from)}${begin}\n${table}\n${page.slice(to)}`;
}

/** A bar would end the cell. */
function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|');
}

if (import.meta.main) writeFileSync(cliPage, writeCliPage(readFileSync(cliPage, 'utf8')));
