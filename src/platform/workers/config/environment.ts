/** The part of a configuration for one environment: its own keys, and inherited ones of the rest. */
import { bindingKeys } from './binding-keys.ts';
import { platformKeys } from './platform-keys.ts';
import { Section } from './section.ts';

/** Each environment must repeat its own. */
const notInherited: ReadonlySet<string> = new Set([
  ...bindingKeys,
  ...Object.keys(platformKeys).filter((key) => key !== 'site'),
  'define',
  'durable_objects',
  'secrets',
  'services',
  'vars',
  'version_metadata',
]);

/** Has no meaning in an environment. */
const topLevelOnly: ReadonlySet<string> = new Set(['alias']);

export function selectEnvironment(
  config: Section,
  { file, environment }: { readonly file: string; readonly environment: string | undefined },
  warnings: string[],
): Section {
  if (environment === undefined) return config;
  const environments = config.section('env');
  const own = environments?.section(environment);
  if (own === undefined) {
    const names = environments?.keys.join(', ') ?? 'none';
    throw config.error(`there is no environment "${environment}" under env: ${names}`);
  }
  const merged: Record<string, unknown> = {};
  for (const key of config.keys) {
    if (key === 'env') continue;
    if (!notInherited.has(key)) merged[key] = config.value(key);
    else if (!own.keys.includes(key)) {
      warnings.push(
        `${file}: ${key} is at the top level and not in env.${environment}, which does not inherit it: ` +
          `repeat it in env.${environment} if it is needed there`,
      );
    }
  }
  for (const key of own.keys) {
    if (topLevelOnly.has(key)) throw own.error(`${key} must be at the top level, not in env.${environment}`);
    merged[key] = own.value(key);
  }
  const name = config.string('name');
  if (name !== undefined && own.value('name') === undefined) merged['name'] = `${name}-${environment}`;
  return new Section(merged, `${file} (env ${environment})`);
}
