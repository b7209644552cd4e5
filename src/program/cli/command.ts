/** The definition of a command, and the errors of command lines. */

export interface Option {
  /** The placeholder for the value in the help; an option without one is a switch. */
  readonly value?: string;
  readonly help: string;
  readonly choices?: readonly string[];
  /** The value may be omitted, and is otherwise joined by `=`: `--inspect`, `--inspect=9230`. */
  readonly isOptional?: boolean;
  /** It may be repeated, and every value counts. */
  readonly isRepeatable?: boolean;
}

export interface Arguments {
  readonly positionals: readonly string[];
  /** The last value of each given option. */
  readonly values: Readonly<Record<string, string | undefined>>;
  /** All values of each repeatable option. */
  readonly repeated: Readonly<Record<string, readonly string[] | undefined>>;
  /** Includes options whose value was omitted. */
  readonly switches: ReadonlySet<string>;
}

export interface Command {
  /** As the user types it: `objects list` for a command of a group. */
  readonly name: string;
  /** `<required>` and `[optional]` positional arguments. */
  readonly parameters: string;
  readonly summary: string;
  /** For a command in a large group: the purpose of the group. The overview shows the group as one line. */
  readonly family?: string;
  /** Further text of `--help`, after the options. */
  readonly details?: string;
  readonly options: Readonly<Record<string, Option>>;
  /** Resolves to the exit code; undefined is success. */
  run(args: Arguments): Promise<number | undefined>;
}

/** The options of every command. */
export const commonOptions = {
  color: {
    value: 'auto|always|never',
    choices: ['auto', 'always', 'never'],
    help: 'colours: auto means only on a terminal and without NO_COLOR (auto)',
  },
} as const satisfies Readonly<Record<string, Option>>;

/** The command line itself is invalid: exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

export const exitCodes = {
  success: 0,
  failure: 1,
  usage: 2,
  /** The server refused the request. */
  refused: 3,
  /** The server does not answer, or is not the API. */
  unreachable: 4,
  /** The reader of the output has closed it. A shell shows the same code for a program that SIGPIPE has killed. */
  unread: 141,
} as const;

/** A failure whose message is enough for the user: no stack. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, options: ErrorOptions & { readonly exitCode?: number } = {}) {
    super(message, options);
    this.name = 'CommandError';
    this.exitCode = options.exitCode ?? exitCodes.failure;
  }
}
