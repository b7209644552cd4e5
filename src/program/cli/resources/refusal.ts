/** The server's refusal in terms of the command line: the option that filled the place in the body, and advice. */
import { codeFamilies, type Operation } from '#contract';
import type { ApiError, ErrorEntry } from '#client';
import { CommandError, exitCodes } from '../command.ts';
import { escapeUnprintable } from '../terminal/text.ts';
import type { Field } from './fields.ts';

interface Context {
  readonly operation?: Operation;
  readonly fields?: readonly Field[];
}

export function describeRefusal(command: string, error: ApiError, context: Context = {}): CommandError {
  const reasons = error.errors.map((each) => describeReason(each, context));
  const [first = `status ${error.status}`] = reasons;
  const text = reasons.length <= 1 ? ` ${first}` : reasons.map((reason) => `\n  ${reason}`).join('');
  return new CommandError(`the server refused gatehouse ${command}:${text}`, {
    cause: error,
    exitCode: exitCodes.refused,
  });
}

function describeReason({ code, message, source }: ErrorEntry, { operation, fields = [] }: Context): string {
  const place = source?.pointer === undefined ? '' : `${describePlace(source.pointer, fields)}: `;
  const advice = findAdvice(code, operation);
  const shown = message.split('\n').map(escapeUnprintable).join('\n');
  return `${place}${shown} (${code})${advice === undefined ? '' : `\n  ${advice}`}`;
}

/** The option that filled this place, or the place itself. */
function describePlace(pointer: string, fields: readonly Field[]): string {
  const parts = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const path = /^\d+$/.test(parts[0] ?? '') ? parts.slice(1) : parts;
  const matching = fields.filter((field) => field.path.every((name, index) => path[index] === name));
  const closest = matching.toSorted((one, other) => other.path.length - one.path.length)[0];
  if (closest === undefined) return pointer;
  const rest = path.slice(closest.path.length);
  return rest.length === 0 ? `--${closest.option}` : `--${closest.option} (at /${rest.join('/')})`;
}

/** Several families may share a number; the operation disambiguates. */
function findAdvice(code: number, operation: Operation | undefined): string | undefined {
  const families = Object.values(codeFamilies).flatMap((family) => Object.values(family));
  return [...(operation?.codes ?? []), ...families].find((each) => each.code === code)?.advice;
}
