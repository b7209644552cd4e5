/** `gatehouse completion`: a script that adds the commands and options to a shell's completion. */
import { type Command, exitCodes, UsageError } from '../command.ts';
import { writeBash } from '../completion/bash.ts';
import { buildCommandTree, type CommandTree } from '../completion/command-tree.ts';
import { writeFish } from '../completion/fish.ts';
import { writeZsh } from '../completion/zsh.ts';

const writers: Readonly<Record<string, (tree: CommandTree) => string>> = {
  bash: writeBash,
  zsh: writeZsh,
  fish: writeFish,
};

/** `loadCommands` is called when the command runs, because this one is in the table as well. */
export function createCompletionCommand(loadCommands: () => Promise<readonly Command[]>): Command {
  return {
    name: 'completion',
    parameters: '<bash|zsh|fish>',
    summary: 'Print a script that completes commands and options in a shell.',
    details: `bash: gatehouse completion bash > ~/.local/share/bash-completion/completions/gatehouse
zsh:  gatehouse completion zsh > ~/.zfunc/_gatehouse, with ~/.zfunc in fpath before compinit
fish: gatehouse completion fish > ~/.config/fish/completions/gatehouse.fish`,
    options: {},
    async run({ positionals: [shell = ''] }) {
      const write = Object.hasOwn(writers, shell) ? writers[shell] : undefined;
      if (write === undefined) throw new UsageError(`the shell must be bash, zsh or fish: ${shell}`);
      process.stdout.write(write(buildCommandTree(await loadCommands())));
      return exitCodes.success;
    },
  };
}
