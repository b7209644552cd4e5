import { type Command, commonOptions, type Option } from './command.ts';

interface HelpLine {
  readonly heading: string;
  readonly summary: string;
}

/** Every command; the commands of a family are one line. */
export function writeOverview(commands: readonly Command[]): string {
  const byFamily = Map.groupBy(commands, ({ name, family }) =>
    family === undefined ? name : name.split(' ')[0]!,
  );
  return writeLines(
    [...byFamily].map(([first, each]) => {
      const [command] = each as [Command, ...Command[]];
      if (command.family === undefined) return toLine(command);
      const verbs = each.map(({ name }) => name.slice(first.length + 1)).join(', ');
      return { heading: `${first} <verb>`, summary: `${command.family} Verbs: ${verbs}.` };
    }),
  );
}

/** The commands with the same first word. */
export function writeGroup(commands: readonly Command[]): string {
  return writeLines(commands.map(toLine));
}

function toLine(command: Command): HelpLine {
  return { heading: writeHeading(command), summary: command.summary };
}

function writeLines(all: readonly HelpLine[]): string {
  const width = Math.max(...all.map(({ heading }) => heading.length));
  const lines = all.map(({ heading, summary }) => `  ${heading.padEnd(width)}  ${summary}`);
  return [
    'Usage: gatehouse <command> [options]',
    '',
    ...lines,
    '',
    'gatehouse <command> --help shows more; gatehouse --version shows the version.',
    '',
  ].join('\n');
}

/** A longer option has its text on the next line, so that a long list of values does not widen all others. */
const optionWidthMax = 56;

export function writeCommandHelp(command: Command): string {
  const options = Object.entries<Option>({ ...command.options, ...commonOptions }).map(([name, option]) => ({
    name: writeOption(name, option),
    help: option.help,
  }));
  options.push({ name: '--help', help: 'show this help' });
  const width = Math.max(
    ...options.map(({ name }) => name.length).filter((length) => length <= optionWidthMax),
  );
  return [
    `Usage: gatehouse ${writeHeading(command)} [options]`,
    '',
    command.summary,
    '',
    ...options.map(({ name, help }) =>
      name.length > width ? `  ${name}\n  ${' '.repeat(width)}  ${help}` : `  ${name.padEnd(width)}  ${help}`,
    ),
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
