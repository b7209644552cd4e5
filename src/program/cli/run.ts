/** Runs the arguments of the process and returns an exit code. */
import { didYouMean } from '#text';
import { type Command, exitCodes, UsageError } from './command.ts';
import { commandFiles, loadCommands } from './command-table.ts';
import { writeCommandHelp, writeGroup, writeOverview } from './help.ts';
import { reportFailure } from './report-failure.ts';
import { isHelpOption, runCommand } from './run-command.ts';
import { readVersion } from './version.ts';

export async function runCli(args: readonly string[]): Promise<number> {
  try {
    return await dispatch(args);
  } catch (error) {
    return await reportFailure(error);
  }
}

async function dispatch(args: readonly string[]): Promise<number> {
  const [first] = args;
  if (first === '--version' || first === '-v' || first === 'version') return print(`${readVersion()}\n`);
  const isHelp = first === 'help' || isHelpOption(first);
  const words = isHelp ? args.slice(1) : args;
  const commands = await loadCommands(words[0]);
  if (isHelp && args.length === 1) return print(writeOverview(commands));
  const group = findGroup(commands, words[0]);
  const wantsGroup = words.length === 1 ? isHelp : words[1] === '--help' || words[1] === '-h';
  if (group.length > 0 && wantsGroup) return print(writeGroup(group));
  const { command, rest } = findCommand(commands, words);
  if (command === undefined) return print(writeOverview(commands), process.stderr, exitCodes.usage);
  return isHelp ? print(writeCommandHelp(command)) : await runCommand(command, rest);
}

/** The commands of a group: those of `gatehouse objects`. */
function findGroup(commands: readonly Command[], word: string | undefined): readonly Command[] {
  return commands.filter(({ name }) => name.startsWith(`${word} `));
}

function findCommand(
  commands: readonly Command[],
  args: readonly string[],
): { command: Command | undefined; rest: readonly string[] } {
  if (args.length === 0) return { command: undefined, rest: [] };
  for (const command of commands) {
    const words = command.name.split(' ');
    if (words.every((word, index) => args[index] === word))
      return { command, rest: args.slice(words.length) };
  }
  const group = findGroup(commands, args[0]);
  if (group.length > 0) {
    const names = group.map(({ name }) => name.slice(args[0]!.length + 1));
    const written = args[1] === undefined || args[1].startsWith('-') ? '' : `: ${args[1]}`;
    throw new UsageError(`gatehouse ${args[0]} needs one of ${names.join(', ')}${written}`);
  }
  const words = new Set(commandFiles.flatMap((file) => file.words));
  throw new UsageError(
    `there is no command ${args[0]}${didYouMean(args[0]!, words)} (gatehouse help lists them)`,
  );
}

function print(
  text: string,
  stream: NodeJS.WriteStream = process.stdout,
  code: number = exitCodes.success,
): number {
  stream.write(text);
  return code;
}
