/** Completion for bash: one function, with a case for each command. */
import type { CommandTree, CompletedCommand, CompletedOption } from './command-tree.ts';

export function writeBash({ commands, groups }: CommandTree): string {
  const first = [...commands.map(({ words }) => words[0]!), ...groups.map(({ name }) => name), 'help'];
  return `# bash completion for gatehouse: source <(gatehouse completion bash)
_gatehouse() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  local first=\${COMP_WORDS[1]} second=\${COMP_WORDS[2]}
  local options='' arguments='' files=''
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W '${first.join(' ')} --help --version' -- "$current"))
    return
  fi
  if [[ $COMP_CWORD -eq 2 ]]; then
    case $first in
      help) COMPREPLY=($(compgen -W '${first.join(' ')}' -- "$current")); return ;;
${groups.map(({ name, commands: each }) => `      ${name}) COMPREPLY=($(compgen -W '${each.map(({ words }) => words[1]).join(' ')} --help' -- "$current")); return ;;`).join('\n')}
    esac
  fi
  case $first in
${commands.map((command) => `    ${command.words[0]})\n${writeCommand(command, '      ')}\n      ;;`).join('\n')}
${groups.map(({ name, commands: each }) => `    ${name})\n      case $second in\n${each.map((command) => `        ${command.words[1]})\n${writeCommand(command, '          ')}\n          ;;`).join('\n')}\n      esac\n      ;;`).join('\n')}
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [[ -n $arguments ]]; then
    COMPREPLY=($(compgen -W "$arguments" -- "$current"))
  elif [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}
complete -F _gatehouse gatehouse
`;
}

/** Completes the value of an option at once; otherwise lists the options and arguments of the command. */
function writeCommand({ options, takesFiles, choices }: CompletedCommand, indent: string): string {
  const withValue = options.filter(({ takes, isOptional }) => takes !== 'nothing' && !isOptional);
  const values = [...Map.groupBy(withValue, writeValue)].map(
    ([value, each]) => `${indent}  ${each.map(({ name }) => name).join('|')}) ${value} ;;`,
  );
  const lines = [
    ...(values.length === 0 ? [] : [`${indent}case $previous in`, ...values, `${indent}esac`]),
    `${indent}options='${options.map(({ name }) => name).join(' ')}'`,
    ...(choices.length === 0 ? [] : [`${indent}arguments='${choices.join(' ')}'`]),
    ...(takesFiles ? [`${indent}files=yes`] : []),
  ];
  return lines.join('\n');
}

function writeValue({ takes, choices }: CompletedOption): string {
  if (takes === 'choice') return `COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$current")); return`;
  if (takes === 'text') return 'return';
  const kind = takes === 'directory' ? '-d' : '-f';
  return `compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen ${kind} -- "$current"); return`;
}
