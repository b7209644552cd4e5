/** Runs one command with its arguments. */
import { type Arguments, type Command, exitCodes } from './command.ts';
import { writeCommandHelp } from './help.ts';
import { parseArguments } from './parse-arguments.ts';

/** Resolves to the exit code. Throws what `reportFailure` reports. */
export async function runCommand(command: Command, args: readonly string[]): Promise<number> {
  if (args.some(isHelpOption)) {
    process.stdout.write(writeCommandHelp(command));
    return exitCodes.success;
  }
  return (await command.run(parseCommand(command, args))) ?? exitCodes.success;
}

/** Parses the arguments of a command, and applies its colour option. */
export function parseCommand(command: Command, args: readonly string[]): Arguments {
  const parsed = parseArguments(command, args);
  chooseColours(parsed.values['color']);
  return parsed;
}

export function isHelpOption(word: string | undefined): boolean {
  return word === '--help' || word === '-h';
}

/** The variables apply wherever output is coloured, also in processes that the command starts. */
function chooseColours(when: string | undefined): void {
  if (when === undefined || when === 'auto') return;
  const isAlways = when === 'always';
  delete process.env[isAlways ? 'NO_COLOR' : 'FORCE_COLOR'];
  process.env[isAlways ? 'FORCE_COLOR' : 'NO_COLOR'] = '1';
}
