import type { Command } from './command.ts';

export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map((command) => heading(command).length));
  const lines = commands.map((command) => `  ${heading(command).padEnd(width)}  ${command.summary}`);
  return [
    'Usage: gatehouse <command> [options]',
    '',
    ...lines,
    '',
    'gatehouse <command> --help tells more; gatehouse --version names the version.',
    '',
  ].join('\n');
}

export function commandHelp(command: Command): string {
  const options = Object.entries(command.options).map(([name, { value, help }]) => ({
    name: value === undefined ? `--${name}` : `--${name} ${value}`,
    help,
  }));
  options.push({ name: '--help', help: 'show this' });
  const width = Math.max(...options.map(({ name }) => name.length));
  return [
    `Usage: gatehouse ${heading(command)} [options]`,
    '',
    command.summary,
    '',
    ...options.map(({ name, help }) => `  ${name.padEnd(width)}  ${help}`),
    '',
    ...(command.details === undefined ? [] : [command.details, '']),
  ].join('\n');
}

function heading({ name, parameters }: Command): string {
  return parameters === '' ? name : `${name} ${parameters}`;
}
