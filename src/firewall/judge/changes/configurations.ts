/** Rules that give a request other settings than its zone has. */
import { actingSettings, type ChosenSettings } from '#zone-settings';
import type { ConfigurationParameters, Ruleset } from '../../model.ts';
import type { Act, Change } from './change.ts';

export function compileConfiguration(parameters: ConfigurationParameters): Act {
  const settings = toSettings(parameters);
  return () => ({ kind: 'settings', settings });
}

/** Those that act; the others say what is so in any case. Rules may have been stored before they were checked. */
function toSettings({
  ssl,
  security_level,
  bic,
  hotlink_protection,
}: ConfigurationParameters): ChosenSettings {
  const level = actingSettings.security_level.kind.read(security_level);
  const mode = actingSettings.ssl.kind.read(ssl);
  return {
    ...(mode === undefined ? {} : { ssl: mode }),
    ...(level === undefined ? {} : { security_level: level }),
    ...(bic === undefined ? {} : { browser_check: bic ? 'on' : 'off' }),
    ...(hotlink_protection === undefined ? {} : { hotlink_protection: hotlink_protection ? 'on' : 'off' }),
  };
}

/** What rules of the zone could choose, so that it can be prepared. */
export function listConfigured(entryPoints: readonly Ruleset[]): ChosenSettings[] {
  return entryPoints
    .filter(({ phase }) => phase === 'http_config_settings')
    .flatMap(({ rules }) => rules.filter(({ enabled }) => enabled))
    .map(({ action_parameters }) => toSettings(action_parameters ?? {}));
}

/** Undefined if those of the zone hold. Of several rules, the last that sets one counts. */
export function findSettings(changes: readonly Change[] = []): ChosenSettings | undefined {
  let settings: ChosenSettings | undefined;
  for (const { effect } of changes)
    if (effect.kind === 'settings') settings = { ...settings, ...effect.settings };
  return settings;
}
