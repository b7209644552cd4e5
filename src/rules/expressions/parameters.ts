/** Parameters that most functions use, and checks of literals that several functions share. */
import type { Argument, FunctionDefinition, Parameter, Use } from './ast.ts';
import { bytesType, intType, ipType, type Type } from './types.ts';
import type { Value } from './values.ts';

type ParameterOptions = Partial<Omit<Parameter, 'name' | 'types'>>;

export function bytesParameter(name: string, options: ParameterOptions = {}): Parameter {
  return { name, kind: 'Field', types: [bytesType], ...options };
}

export function intParameter(name: string, options: ParameterOptions = {}): Parameter {
  return { name, kind: 'Field', types: [intType], ...options };
}

export function ipParameter(name: string, options: ParameterOptions = {}): Parameter {
  return { name, kind: 'Field', types: [ipType], ...options };
}

export function result(type: Type): FunctionDefinition['resultType'] {
  return () => type;
}

export const everywhere: readonly Use[] = ['filter', 'rewrite'];

export function createIntCheck(min: number, max: number): (literal: number) => string | undefined {
  return (literal) =>
    literal >= min && literal <= max ? undefined : `expected a number from ${min} to ${max}`;
}

/** A string of option letters, each at most once. */
export function createFlagCheck(...letters: readonly string[]): (literal: string) => string | undefined {
  return (literal) => {
    const flags = literal.split('');
    const isKnown = flags.every((flag, index) => letters.includes(flag) && flags.indexOf(flag) === index);
    return isKnown ? undefined : `expected no other options than ${letters.join(' and ')}`;
  };
}

/** The value of a literal argument. */
export function readLiteral(argument: Argument | undefined): Value | undefined {
  const isLiteral = argument?.kind === 'Int' || argument?.kind === 'Ip' || argument?.kind === 'Bytes';
  return isLiteral ? argument.value : undefined;
}

/** The bytes of a string literal; empty if the argument was omitted. */
export function readBytes(argument: Argument | undefined): string {
  const literal = readLiteral(argument);
  return typeof literal === 'string' ? literal : '';
}
