/** Checks the arguments of a call against the parameters of the function. */
import type { Argument, FunctionDefinition, LooseType, Parameter } from '../ast.ts';
import { readLiteral } from '../parameters.ts';
import { bytesType, intType, ipType, type Type, formatType } from '../types.ts';
import type { Value } from '../values.ts';
import type { SourceReader } from './reader.ts';
import { quoteText } from './rust-text.ts';

export function getArgumentType(argument: Argument): Type {
  switch (argument.kind) {
    case 'Int':
      return intType;
    case 'Ip':
      return ipType;
    case 'Bytes':
      return bytesType;
    default:
      return argument.type;
  }
}

export function countArguments({ parameters }: FunctionDefinition): { min: number; max: number } {
  const required = parameters.filter((parameter) => parameter.isOptional !== true);
  const isOpen = parameters.at(-1)?.isRepeated === true;
  return { min: required.length, max: isOpen ? Infinity : parameters.length };
}

/** Refuses the last argument if the function does not accept it there. The numbers of arguments start at 0. */
export function checkArgument(
  reader: SourceReader,
  definition: FunctionDefinition,
  { before, argument }: { before: readonly Argument[]; argument: Argument },
): void {
  const index = before.length;
  const parameter: Parameter = definition.parameters[index] ?? definition.parameters.at(-1)!;
  const literal = readLiteral(argument);
  const kind = literal === undefined ? 'Field' : 'Literal';
  if (parameter.kind !== 'Any' && parameter.kind !== kind) {
    const reason = `expected argument of kind ${parameter.kind}, but got ${kind}`;
    throw reader.refuse('argument_kind', `invalid kind of argument #${index}: ${reason}`, argument.span);
  }
  const type = getArgumentType(argument);
  const expected = definition.expectedTypes?.(before.map(getArgumentType), index) ?? parameter.types;
  if (!expected.some((candidate) => candidate === type || candidate === type.kind)) {
    const reason = `expected value of type ${formatExpected(expected)}, but got ${formatType(type)}`;
    throw reader.refuse('argument_type', `invalid type of argument #${index}: ${reason}`, argument.span);
  }
  const problem = literal === undefined ? checkField(parameter, argument) : checkLiteral(parameter, literal);
  if (problem !== undefined) {
    const reason = `invalid argument: ${quoteText(problem)}`;
    throw reader.refuse('argument_value', `invalid value of argument #${index}: ${reason}`, argument.span);
  }
}

function checkLiteral(parameter: Parameter, literal: Value): string | undefined {
  if (typeof literal === 'string') return parameter.checkBytes?.(literal);
  return typeof literal === 'number' ? parameter.checkInt?.(literal) : undefined;
}

function checkField({ fields }: Parameter, argument: Argument): string | undefined {
  if (fields === undefined) return undefined;
  const root = argument.kind === 'operand' ? argument.root : undefined;
  return root?.kind === 'field' && fields.includes(root.field.key)
    ? undefined
    : `expected ${fields.join(' or ')}`;
}

/** `Bytes`, `Bytes or Array<_>`, `{Bool, Int, Ip}`. */
function formatExpected(expected: readonly LooseType[]): string {
  const names = expected.map((type) => (typeof type === 'string' ? `${type}<_>` : formatType(type)));
  return names.length > 2 ? `{${names.join(', ')}}` : names.join(' or ');
}
