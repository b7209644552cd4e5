import type { Command } from './command.ts';

export function writeOverview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map((command) => writeHeading(command).length));
  const lines = commands.map((command) => `  ${writeHeading(command).padEnd(width)}  ${command.summary}`);
  return [
    'Usage: gatehouse <command> [options]',
    '',
    ...lines,
    '',
    'gatehouse <command> --help tells more; gatehouse --version names the version.',
    '',
  ].join('\n');
}

export function writeCommandHelp(command: Command): string {
  const options = Object.entries(command.options).map(([name, { value, help }]) => ({
    name: value === undefined ? `--${name}` : `--${name} ${value}`,
    help,
  }));
  options.push({ name: '--help', help: 'show this' });
  const width = Math.max(...options.map(({ name }) => name.length));
  return [
    `Usage: gatehouse ${writeHeading(command)} [options]`,
    '',
    command.summary,
    '',
    ...options.map(({ name, help }) => `  ${name.padEnd(width)}  ${help}`),
    '',
    ...(command.details === undefined ? [] : [command.details, '']),
  ].join('\n');
}

function writeHeading({ name, parameters }: Command): string {
  return parameters === '' ? name : `${name} ${parameters}`;
}
