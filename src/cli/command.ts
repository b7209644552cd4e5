/** What a command is, and the errors of calling one. */

export interface Option {
  /** The placeholder for the value in the help; an option without one is a switch. */
  readonly value?: string;
  readonly help: string;
  readonly choices?: readonly string[];
  /** The value may be left out, and is joined by `=` if it is there: `--inspect`, `--inspect=9230`. */
  readonly isOptional?: boolean;
}

export interface Arguments {
  readonly positionals: readonly string[];
  /** The last value of each option that was given. */
  readonly values: Readonly<Record<string, string | undefined>>;
  /** Also options whose value was left out. */
  readonly switches: ReadonlySet<string>;
}

export interface Command {
  /** As it is typed: `objects list` for a command of a group. */
  readonly name: string;
  /** `<required>` and `[optional]` positional arguments. */
  readonly parameters: string;
  readonly summary: string;
  /** More for `--help`, after the options. */
  readonly details?: string;
  readonly options: Readonly<Record<string, Option>>;
  /** Resolves to the exit code. */
  run(args: Arguments): Promise<number>;
}

/** The command line itself is invalid: exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** A failure whose message is enough for the user: exit code 1, no stack. */
export class CommandError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CommandError';
  }
}

export const exitCodes = { success: 0, failure: 1, usage: 2 } as const;
