/** The parameters that most functions are made of, and the checks of literals that several share. */
import type { Argument, FunctionDefinition, Parameter, Use } from './ast.ts';
import { bytesType, intType, ipType, type Type } from './types.ts';
import type { Value } from './values.ts';

type Options = Partial<Omit<Parameter, 'name' | 'types'>>;

export function bytesParameter(name: string, options: Options = {}): Parameter {
  return { name, kind: 'Field', types: [bytesType], ...options };
}

export function intParameter(name: string, options: Options = {}): Parameter {
  return { name, kind: 'Field', types: [intType], ...options };
}

export function ipParameter(name: string, options: Options = {}): Parameter {
  return { name, kind: 'Field', types: [ipType], ...options };
}

export function result(type: Type): FunctionDefinition['resultType'] {
  return () => type;
}

export const everywhere: readonly Use[] = ['filter', 'rewrite'];

export function intFrom(min: number, max: number): (literal: number) => string | undefined {
  return (literal) =>
    literal >= min && literal <= max ? undefined : `expected a number from ${min} to ${max}`;
}

/** A string of option letters, each at most once. */
export function flagsOf(...letters: readonly string[]): (literal: string) => string | undefined {
  return (literal) => {
    const flags = literal.split('');
    const isKnown = flags.every((flag, index) => letters.includes(flag) && flags.indexOf(flag) === index);
    return isKnown ? undefined : `expected no other options than ${letters.join(' and ')}`;
  };
}

/** The value of an argument that is written out. */
export function literalIn(argument: Argument | undefined): Value | undefined {
  const isLiteral = argument?.kind === 'Int' || argument?.kind === 'Ip' || argument?.kind === 'Bytes';
  return isLiteral ? argument.value : undefined;
}

/** The bytes of a string that is written out; none if the argument was left out. */
export function bytesIn(argument: Argument | undefined): string {
  const literal = literalIn(argument);
  return typeof literal === 'string' ? literal : '';
}
