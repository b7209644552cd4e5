/** Completion for zsh, with the summary of each command and option. */
import type { CommandTree, CompletedCommand, CompletedOption } from './command-tree.ts';

export function writeZsh({ commands, groups }: CommandTree): string {
  const first = [
    ...commands.map(({ words, summary }) => describe(words[0]!, summary)),
    ...groups.map(({ name, commands: each }) => describe(name, each.map(({ words }) => words[1]).join(', '))),
  ];
  return `#compdef gatehouse
# zsh completion for gatehouse: source <(gatehouse completion zsh)
_gatehouse() {
  local -a described
  if (( CURRENT == 2 )); then
    described=(
${first.map((line) => `      ${line}`).join('\n')}
    )
    _describe command described
    return
  fi
  case "$words[2]" in
${groups.map(writeGroup).join('\n')}
${commands.map((command) => `    ${command.words[0]})\n      shift words; (( CURRENT-- ))\n${writeArguments(command, '      ')}\n      ;;`).join('\n')}
  esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _gatehouse "$@"; else compdef _gatehouse gatehouse; fi
`;
}

function writeGroup({ name, commands }: CommandTree['groups'][number]): string {
  const described = commands.map(({ words, summary }) => `          ${describe(words[1]!, summary)}`);
  const cases = commands.map(
    (command) => `        ${command.words[1]})\n${writeArguments(command, '          ')}\n          ;;`,
  );
  return `    ${name})
      if (( CURRENT == 3 )); then
        described=(
${described.join('\n')}
        )
        _describe command described
        return
      fi
      shift 2 words; (( CURRENT -= 2 ))
      case "$words[1]" in
${cases.join('\n')}
      esac
      ;;`;
}

function writeArguments({ options, takesFiles, choices }: CompletedCommand, indent: string): string {
  const rest =
    choices.length > 0
      ? [quote(`1:argument:(${choices.join(' ')})`)]
      : takesFiles
        ? [quote('*:file:_files')]
        : [];
  return `${indent}_arguments ${[...options.map(writeOption), ...rest].join(` \\\n${indent}  `)}`;
}

function writeOption({ name, help, takes, isOptional, choices }: CompletedOption): string {
  const text = help.replaceAll(/[[\]:\\]/g, String.raw`\$&`);
  if (takes === 'nothing') return quote(`${name}[${text}]`);
  const values = { choice: `(${choices.join(' ')})`, file: '_files', directory: '_directories', text: ' ' };
  return quote(
    isOptional ? `${name}=-[${text}]::value:${values[takes]}` : `${name}[${text}]:value:${values[takes]}`,
  );
}

function describe(word: string, summary: string): string {
  return quote(`${word}:${summary}`);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
