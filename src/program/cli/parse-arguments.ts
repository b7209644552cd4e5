import { parseArgs } from 'node:util';
import { didYouMean } from '#text';
import { type Arguments, type Command, commonOptions, type Option, UsageError } from './command.ts';

/** Parses the arguments after the command's name; an unknown one is an error that names it. */
export function parseArguments(command: Command, args: readonly string[]): Arguments {
  const options: Command['options'] = { ...command.options, ...commonOptions };
  const types = Object.entries(options).map(
    ([name, option]) => [name, { type: getOptionType(option) }] as const,
  );
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(types),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const positionals: string[] = [];
  const values: Record<string, string> = {};
  const repeated: Record<string, string[]> = {};
  const switches = new Set<string>();
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (option === undefined) throw createUnknownOption(command, token.rawName);
    if (option.isOptional === true && token.value === undefined) switches.add(token.name);
    else if (option.value !== undefined) {
      const value = checkValue(option, token.rawName, token.value);
      values[token.name] = value;
      if (option.isRepeatable === true) (repeated[token.name] ??= []).push(value);
    } else if (token.value === undefined) switches.add(token.name);
    else throw new UsageError(`${token.rawName} takes no value: ${token.value}`);
  }
  checkPositionals(command, positionals);
  return { positionals, values, repeated, switches };
}

function getOptionType(option: Option): 'string' | 'boolean' {
  return option.value === undefined || option.isOptional === true ? 'boolean' : 'string';
}

function createUnknownOption(command: Command, written: string): UsageError {
  const names = [...Object.keys({ ...command.options, ...commonOptions }), 'help'].map((name) => `--${name}`);
  return new UsageError(`gatehouse ${command.name} has no option ${written}${didYouMean(written, names)}`);
}

function checkValue({ value, choices }: Option, name: string, given: string | undefined): string {
  // In `--port --host`, the parser would use the second option as the value of the first.
  if (given === undefined || given === '' || given.startsWith('--')) {
    throw new UsageError(`${name} needs a value: ${name} ${value}`);
  }
  if (choices !== undefined && !choices.includes(given)) {
    throw new UsageError(`${name} must be ${choices.join(' or ')}: ${given}`);
  }
  return given;
}

function checkPositionals(command: Command, positionals: readonly string[]): void {
  const names = command.parameters.split(' ').filter((name) => name !== '');
  const required = names.filter((name) => name.startsWith('<'));
  const missing = required[positionals.length];
  if (missing !== undefined) throw new UsageError(`gatehouse ${command.name} needs ${missing}`);
  if (positionals.length > names.length) {
    throw new UsageError(`gatehouse ${command.name} takes no more arguments: ${positionals[names.length]}`);
  }
}

/** Reads an integer option within bounds. */
export function readWholeNumber(
  args: Arguments,
  name: string,
  { min, max }: { min: number; max: number },
): number | undefined {
  const text = args.values[name];
  if (text === undefined) return undefined;
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= min && number <= max) return number;
  throw new UsageError(`--${name} must be a whole number from ${min} to ${max}: ${text}`);
}
