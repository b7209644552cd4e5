/** Completion for fish: one line for each command and option. */
import type { CommandTree, CompletedCommand, CompletedOption } from './command-tree.ts';

export function writeFish({ commands, groups }: CommandTree): string {
  const lines = [
    '# fish completion for gatehouse: gatehouse completion fish | source',
    `complete -c gatehouse -f`,
    ...commands.flatMap((command) => writeCommand(command)),
    ...groups.flatMap(({ name, commands: each }) => [
      `complete -c gatehouse -n __fish_use_subcommand -a ${name} -d ${quote(each.map(({ words }) => words[1]).join(', '))}`,
      ...each.flatMap((command) => writeCommand(command, each)),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

function writeCommand(command: CompletedCommand, group?: readonly CompletedCommand[]): string[] {
  const { words, summary, options, takesFiles, choices } = command;
  const [first, second] = words;
  const siblings = group?.map(({ words: each }) => each[1]).join(' ');
  const isNext =
    second === undefined
      ? '__fish_use_subcommand'
      : `__fish_seen_subcommand_from ${first}; and not __fish_seen_subcommand_from ${siblings}`;
  const isGiven =
    second === undefined
      ? `__fish_seen_subcommand_from ${first}`
      : `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`;
  const condition = `complete -c gatehouse -n ${quote(isGiven)}`;
  return [
    `complete -c gatehouse -n ${quote(isNext)} -a ${second ?? first} -d ${quote(summary)}`,
    ...(takesFiles ? [`${condition} -F`] : []),
    ...(choices.length === 0 ? [] : [`${condition} -a ${quote(choices.join(' '))}`]),
    ...options.map((option) => `${condition} ${writeOption(option)}`),
  ];
}

function writeOption({ name, help, takes, isOptional, choices }: CompletedOption): string {
  const base = `-l ${name.slice(2)} -d ${quote(help)}`;
  if (takes === 'nothing' || isOptional) return base;
  if (takes === 'choice') return `${base} -x -a ${quote(choices.join(' '))}`;
  return takes === 'text' ? `${base} -x` : `${base} -r -F`;
}

function quote(text: string): string {
  return `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
}
