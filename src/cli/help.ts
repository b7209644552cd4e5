import type { Command, Option } from './command.ts';

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
  const options = Object.entries(command.options).map(([name, option]) => ({
    name: writeOption(name, option),
    help: option.help,
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

function writeOption(name: string, { value, isOptional }: Option): string {
  if (value === undefined) return `--${name}`;
  return isOptional === true ? `--${name}[=${value}]` : `--${name} ${value}`;
}

function writeHeading({ name, parameters }: Command): string {
  return parameters === '' ? name : `${name} ${parameters}`;
}
