/** Messages of the bundler for users: the file and the line come first. */
import type { BuildFailure, Message } from 'esbuild';
import { resolve } from 'node:path';
import { ConfigError } from '../config/config-error.ts';

/** Further messages seldom help: the first mistake causes the others. */
const messagesShownMax = 10;

export function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && Array.isArray((error as Partial<BuildFailure>).errors);
}

/** `explain` may add an explanation of a problem. */
export function toConfigError(
  failure: BuildFailure,
  explain: (text: string) => string | undefined,
): ConfigError {
  const { errors } = failure;
  // An error without a place is a failure of the bundler itself.
  if (errors.length === 0) return new ConfigError(failure.message, { cause: failure });
  const shown = errors.slice(0, messagesShownMax).map((each) => describeMessage(each, explain));
  if (errors.length > shown.length) shown.push(`${errors.length - shown.length} more errors`);
  return new ConfigError(shown.join('\n'), { cause: failure });
}

export function describeMessage(
  { text, location }: Message,
  explain: (text: string) => string | undefined = () => undefined,
): string {
  const more = explain(text);
  const problem = more === undefined ? text : `${text}: ${more}`;
  if (location === null) return problem;
  const { file, line, column, lineText } = location;
  return `${file}:${line}:${column + 1}: ${problem}\n    ${line} | ${lineText.trim().slice(0, 200)}`;
}

/** The files that the messages refer to. */
export function listFiles(messages: readonly Message[], directory: string): string[] {
  return messages.flatMap(({ location }) => (location === null ? [] : [resolve(directory, location.file)]));
}
