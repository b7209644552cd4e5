/** The table of settings as text: in force, as documentation. */
import { type Config, placeOf } from './read-config.ts';
import { flagOf, keyOf, type SettingName, settingNames, settingOf, variableOf } from './settings.ts';

/** Stands for a secret, and says nothing of its length. */
const mask = '********';

/** A configuration file that means what is in force, with where each value came from. Secrets are masked. */
export function showConfig({ settings, sources }: Config): string {
  const lines = settingNames.map((name) => {
    const value = settings[name];
    const source = sources[name];
    const from = source.kind === 'default' ? 'default' : `from ${placeOf(name, source)}`;
    return value === undefined
      ? { text: `# ${keyOf(name)} is not set`, from: undefined }
      : { text: `${keyOf(name)} = ${shown(name, value)}`, from };
  });
  const width = Math.max(...lines.map(({ text }) => text.length));
  return lines
    .map(({ text, from }) => (from === undefined ? `${text}\n` : `${text.padEnd(width)}  # ${from}\n`))
    .join('');
}

/** As TOML, whose text and arrays of text can be written as JSON's. */
function shown(name: SettingName, value: {}): string {
  const { kind, isSecret } = settingOf(name);
  if (isSecret) return JSON.stringify(mask);
  if (typeof value === 'boolean' || Array.isArray(value)) return JSON.stringify(value);
  const written = kind.write(value);
  return typeof value === 'number' && String(value) === written ? written : JSON.stringify(written);
}

/** For the command line, by flag. Secrets have none. */
export const settingFlags: Readonly<Record<string, { readonly value: string; readonly help: string }>> =
  Object.fromEntries(
    settingNames
      .filter((name) => !settingOf(name).isSecret)
      .map((name) => [flagOf(name), { value: settingOf(name).kind.placeholder, help: helpOf(name) }]),
  );

function helpOf(name: SettingName): string {
  const { kind, help, fallback } = settingOf(name);
  if (fallback === undefined || fallback === null) return help;
  const written = kind.write(fallback);
  return written === '' ? help : `${help} (${written})`;
}

/**
 * The table of docs/configuration.md.
 * @internal Exported for tests.
 */
export function settingsTable(): string {
  const rows = settingNames.map((name) => {
    const { kind, help, fallback, isSecret } = settingOf(name);
    const shownFallback = fallback === undefined || fallback === null ? '' : `\`${kind.write(fallback)}\``;
    const shownFlag = isSecret ? '' : `\`--${flagOf(name)}\``;
    const isEmpty = Array.isArray(fallback) && fallback.length === 0;
    const cells = [
      `\`${keyOf(name)}\``,
      `\`${variableOf(name)}\``,
      shownFlag,
      isEmpty ? '' : shownFallback,
      `${help} (${kind.rule})`,
    ];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  return ['| file | environment | flag | default | meaning |', '|---|---|---|---|---|', ...rows, ''].join(
    '\n',
  );
}
