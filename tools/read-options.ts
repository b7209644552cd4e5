/**
 * The options of the repository's own commands: `--help` prints the usage, and an invalid option is reported in two
 * lines instead of a stack.
 */
import { type ParseArgsConfig, parseArgs } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;
type Values<T extends Options> = ReturnType<typeof parseArgs<{ options: T }>>['values'];

export function readOptions<const T extends Options>(usage: string, options: T): Values<T> {
  if (process.argv.includes('--help')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return refuseOptions(usage, (error as Error).message);
  }
}

export function refuseOptions(usage: string, message: string): never {
  console.error(`${message}\n\n${usage}`);
  process.exit(2);
}
