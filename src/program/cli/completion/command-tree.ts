/** The completions of a shell, derived from the table of commands. */
import { type Command, commonOptions, type Option } from '../command.ts';

export interface CompletedCommand {
  /** One word, or two for a command of a group. */
  readonly words: readonly string[];
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  /** Whether an argument can be a file. */
  readonly takesFiles: boolean;
  /** The only allowed arguments; empty if there is no such list. */
  readonly choices: readonly string[];
}

export interface CompletedOption {
  /** With its dashes. */
  readonly name: string;
  readonly help: string;
  readonly takes: 'nothing' | 'choice' | 'file' | 'directory' | 'text';
  /** The value is joined by `=`, or omitted. */
  readonly isOptional: boolean;
  readonly choices: readonly string[];
}

interface CompletedGroup {
  readonly name: string;
  readonly commands: readonly CompletedCommand[];
}

export interface CommandTree {
  readonly commands: readonly CompletedCommand[];
  readonly groups: readonly CompletedGroup[];
}

export function buildCommandTree(commands: readonly Command[]): CommandTree {
  const completed = commands.map(toCompleted);
  const byGroup = Map.groupBy(
    completed.filter(({ words }) => words.length > 1),
    ({ words }) => words[0]!,
  );
  return {
    commands: completed.filter(({ words }) => words.length === 1),
    groups: [...byGroup].map(([name, each]) => ({ name, commands: each })),
  };
}

function toCompleted({ name, parameters, summary, options }: Command): CompletedCommand {
  const choice = /^[<[]([a-z]+(?:\|[a-z]+)+)[>\]]$/.exec(parameters)?.[1];
  return {
    words: name.split(' '),
    summary,
    options: [
      ...Object.entries<Option>({ ...options, ...commonOptions }).map(([option, each]) =>
        toCompletedOption(option, each),
      ),
      { name: '--help', help: 'show help', takes: 'nothing', isOptional: false, choices: [] },
    ],
    takesFiles: /file|path|directory/i.test(parameters),
    choices: choice?.split('|') ?? [],
  };
}

function toCompletedOption(name: string, option: Option): CompletedOption {
  const { value, help, isOptional = false } = option;
  const choices = option.choices ?? listChoices(value);
  return { name: `--${name}`, help, takes: findValueKind(value, choices), isOptional, choices };
}

/** `disk|os` lists the possible values. */
function listChoices(value: string | undefined): readonly string[] {
  return value !== undefined && /^[a-z]+(?:\|[a-z]+)+$/.test(value) ? value.split('|') : [];
}

function findValueKind(value: string | undefined, choices: readonly string[]): CompletedOption['takes'] {
  if (value === undefined) return 'nothing';
  if (choices.length > 0) return 'choice';
  if (/FILE|PATH/.test(value)) return 'file';
  return /DIR/.test(value) ? 'directory' : 'text';
}
