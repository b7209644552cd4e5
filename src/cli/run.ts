/** Runs the arguments of the process and returns an exit code. */
import { didYouMean } from '#base';
import { type Command, exitCodes, UsageError } from './command.ts';
import { clockCommands } from './commands/clock.ts';
import { clusterCommands } from './commands/cluster.ts';
import { createCompletionCommand } from './commands/completion.ts';
import { crsCommands } from './commands/crs.ts';
import { devCommand } from './commands/dev.ts';
import { diffCommand } from './commands/diff.ts';
import { diskCommand } from './commands/disk.ts';
import { edgeCommand } from './commands/edge.ts';
import { envCommand } from './commands/env.ts';
import { explainCommand } from './commands/explain.ts';
import { eventsCommands } from './commands/events.ts';
import { exprCommands } from './commands/expr.ts';
import { writeCommandHelp, writeGroup, writeOverview } from './help.ts';
import { backupCommands } from './operator/backup.ts';
import { migrateCommands } from './commands/migrate.ts';
import { objectsCommands } from './commands/objects.ts';
import { ownerCommand } from './commands/owner.ts';
import { protectCommand } from './commands/protect.ts';
import { reportFailure } from './report-failure.ts';
import { isHelpOption, runCommand } from './run-command.ts';
import { runWorkerCommand } from './commands/run.ts';
import { serveCommand } from './commands/serve.ts';
import { simulateCommand } from './commands/simulate.ts';
import { resourceCommands } from './commands/resources.ts';
import { generateCommand } from './commands/terraform.ts';
import { importBlocksCommand } from './terraform/import-blocks.ts';
import { readVersion } from './version.ts';
import { deployCommand, rollbackCommand, versionsCommand } from './commands/versions.ts';
import { wafTestCommand } from './commands/waf.ts';

/** Help, completion and the page docs/reference/cli.md are made from this table. */
export const commands: readonly Command[] = [
  serveCommand,
  edgeCommand,
  envCommand,
  explainCommand,
  ownerCommand,
  ...migrateCommands,
  devCommand,
  runWorkerCommand,
  deployCommand,
  rollbackCommand,
  versionsCommand,
  ...backupCommands,
  ...clockCommands,
  ...clusterCommands,
  simulateCommand,
  diskCommand,
  ...objectsCommands,
  ...exprCommands,
  protectCommand,
  ...resourceCommands,
  wafTestCommand,
  ...crsCommands,
  ...eventsCommands,
  diffCommand,
  generateCommand,
  importBlocksCommand,
  createCompletionCommand(() => commands),
];

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
  if (isHelp && args.length === 1) return print(writeOverview(commands));
  const words = isHelp ? args.slice(1) : args;
  const group = commands.filter(({ name }) => name.startsWith(`${words[0]} `));
  const wantsGroup = words.length === 1 ? isHelp : words[1] === '--help' || words[1] === '-h';
  if (group.length > 0 && wantsGroup) return print(writeGroup(group));
  const { command, rest } = findCommand(words);
  if (command === undefined) return print(writeOverview(commands), process.stderr, exitCodes.usage);
  return isHelp ? print(writeCommandHelp(command)) : await runCommand(command, rest);
}

/** The commands of a group: those of `gatehouse objects`. */
function findCommandsUnder(word: string | undefined): readonly Command[] {
  return commands.filter(({ name }) => name.startsWith(`${word} `));
}

function findCommand(args: readonly string[]): { command: Command | undefined; rest: readonly string[] } {
  if (args.length === 0) return { command: undefined, rest: [] };
  for (const command of commands) {
    const words = command.name.split(' ');
    if (words.every((word, index) => args[index] === word))
      return { command, rest: args.slice(words.length) };
  }
  const group = findCommandsUnder(args[0]);
  if (group.length > 0) {
    const names = group.map(({ name }) => name.slice(args[0]!.length + 1));
    const written = args[1] === undefined || args[1].startsWith('-') ? '' : `: ${args[1]}`;
    throw new UsageError(`gatehouse ${args[0]} is followed by one of ${names.join(', ')}${written}`);
  }
  const words = new Set(commands.map(({ name }) => name.split(' ')[0]!));
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
