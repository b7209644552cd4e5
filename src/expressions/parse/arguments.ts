/** Whether the arguments of a call are what the function takes. */
import type { Argument, FunctionDefinition, LooseType, Parameter } from '../ast.ts';
import { literalIn } from '../parameters.ts';
import { bytesType, intType, ipType, type Type, typeName } from '../types.ts';
import type { Value } from '../values.ts';
import type { Reader } from './reader.ts';
import { quoteText } from './rust-text.ts';

export function argumentType(argument: Argument): Type {
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

export function argumentCounts({ parameters }: FunctionDefinition): { min: number; max: number } {
  const required = parameters.filter((parameter) => parameter.isOptional !== true);
  const isOpen = parameters.at(-1)?.isRepeated === true;
  return { min: required.length, max: isOpen ? Infinity : parameters.length };
}

/** Refuses the newest argument if the function does not take it there. Numbers of arguments start at 0. */
export function checkArgument(
  reader: Reader,
  definition: FunctionDefinition,
  { before, argument }: { before: readonly Argument[]; argument: Argument },
): void {
  const index = before.length;
  const parameter: Parameter = definition.parameters[index] ?? definition.parameters.at(-1)!;
  const literal = literalIn(argument);
  const kind = literal === undefined ? 'Field' : 'Literal';
  if (parameter.kind !== 'Any' && parameter.kind !== kind) {
    const reason = `expected argument of kind ${parameter.kind}, but got ${kind}`;
    throw reader.refuse('argument_kind', `invalid kind of argument #${index}: ${reason}`, argument.span);
  }
  const type = argumentType(argument);
  const expected = definition.expectedTypes?.(before.map(argumentType), index) ?? parameter.types;
  if (!expected.some((candidate) => candidate === type || candidate === type.kind)) {
    const reason = `expected value of type ${expectedNames(expected)}, but got ${typeName(type)}`;
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
function expectedNames(expected: readonly LooseType[]): string {
  const names = expected.map((type) => (typeof type === 'string' ? `${type}<_>` : typeName(type)));
  return names.length > 2 ? `{${names.join(', ')}}` : names.join(' or ');
}
