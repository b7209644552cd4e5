/** What a command is, and the errors of calling one. */

export interface Option {
  /** The placeholder for the value in the help; an option without one is a switch. */
  readonly value?: string;
  readonly help: string;
  readonly choices?: readonly string[];
  /** The value may be left out, and is joined by `=` if it is there: `--inspect`, `--inspect=9230`. */
  readonly isOptional?: boolean;
  /** It may be given several times, and every value counts. */
  readonly isRepeatable?: boolean;
}

export interface Arguments {
  readonly positionals: readonly string[];
  /** The last value of each option that was given. */
  readonly values: Readonly<Record<string, string | undefined>>;
  /** All values of each option that may be given several times. */
  readonly repeated: Readonly<Record<string, readonly string[] | undefined>>;
  /** Also options whose value was left out. */
  readonly switches: ReadonlySet<string>;
}

export interface Command {
  /** As it is typed: `objects list` for a command of a group. */
  readonly name: string;
  /** `<required>` and `[optional]` positional arguments. */
  readonly parameters: string;
  readonly summary: string;
  /** Of a command in a large group: what the group is for. The overview shows the group as one line. */
  readonly family?: string;
  /** More for `--help`, after the options. */
  readonly details?: string;
  readonly options: Readonly<Record<string, Option>>;
  /** Resolves to the exit code. */
  run(args: Arguments): Promise<number>;
}

/** What every command takes. */
export const commonOptions = {
  color: {
    value: 'auto|always|never',
    choices: ['auto', 'always', 'never'],
    help: 'colours: auto is on a terminal, unless NO_COLOR is set (auto)',
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
  /** The server answered, and refused. */
  refused: 3,
  /** The server does not answer, or is not the API. */
  unreachable: 4,
  /** The reader of the output is gone. A shell shows the same for a program that SIGPIPE has ended. */
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
