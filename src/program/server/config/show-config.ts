/** Writes the settings as text: the current values, and the documentation. */
import { type Config, describePlace } from './read-config.ts';
import {
  toFlag,
  toKey,
  type Setting,
  type SettingName,
  settingNames,
  getSetting,
  toVariable,
} from './settings.ts';

/** Replaces a secret, and does not reveal its length. */
const mask = '********';

/** A configuration file equivalent to the current settings, with the source of each value. Secrets are masked. */
export function showConfig({ settings, sources }: Config): string {
  const lines = settingNames.map((name) => {
    const value = settings[name];
    const source = sources[name];
    const from = source.kind === 'default' ? 'default' : `from ${describePlace(name, source)}`;
    return value === undefined
      ? { text: `# ${toKey(name)} is not set`, from: undefined }
      : { text: `${toKey(name)} = ${formatValue(name, value)}`, from };
  });
  const width = Math.max(...lines.map(({ text }) => text.length));
  return lines
    .map(({ text, from }) => (from === undefined ? `${text}\n` : `${text.padEnd(width)}  # ${from}\n`))
    .join('');
}

/** In TOML, strings and arrays of strings can be written as in JSON. */
function formatValue(name: SettingName, value: {}): string {
  const { kind, isSecret } = getSetting(name);
  if (isSecret) return JSON.stringify(mask);
  if (typeof value === 'boolean' || Array.isArray(value)) return JSON.stringify(value);
  const written = kind.write(value);
  return typeof value === 'number' && String(value) === written ? written : JSON.stringify(written);
}

function hasFlag({ isSecret, hasFlag: isAllowed = !isSecret }: Setting): boolean {
  return isAllowed;
}

/** For the command line, by flag. Most secrets have none. */
export const settingFlags: Readonly<Record<string, { readonly value: string; readonly help: string }>> =
  Object.fromEntries(
    settingNames
      .filter((name) => hasFlag(getSetting(name)))
      .map((name) => [
        toFlag(name),
        { value: getSetting(name).kind.placeholder, help: describeSetting(name) },
      ]),
  );

function describeSetting(name: SettingName): string {
  const { kind, help, fallback } = getSetting(name);
  if (fallback === undefined || fallback === null) return help;
  const written = kind.write(fallback);
  return written === '' ? help : `${help} (${written})`;
}

/**
 * The table of docs/reference/configuration.md.
 * @internal Exported for tests.
 */
export function writeSettingsTable(): string {
  const rows = settingNames.map((name) => {
    const { kind, help, fallback } = getSetting(name);
    const shownFallback = fallback === undefined || fallback === null ? '' : `\`${kind.write(fallback)}\``;
    const shownFlag = hasFlag(getSetting(name)) ? `\`--${toFlag(name)}\`` : '';
    const isEmpty = shownFallback === '``';
    const cells = [
      `\`${toKey(name)}\``,
      `\`${toVariable(name)}\``,
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
