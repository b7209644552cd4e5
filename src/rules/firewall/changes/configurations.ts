/** Rules that replace settings of the zone for a request. */
import { actingSettings, type ChosenSettings, fixedSettings } from '#zone-settings';
import type { ConfigurationParameters, Ruleset } from '#rulesets';
import type { Act, Change } from './change.ts';

export function compileConfiguration(parameters: ConfigurationParameters): Act {
  const settings = toSettings(parameters);
  return () => ({ kind: 'settings', settings });
}

type Name = keyof ConfigurationParameters;

/**
 * Settings that would act at Cloudflare: the zone setting that explains why they have no effect here, or the reason.
 */
const idle: Readonly<Partial<Record<Name, { readonly like: string } | string>>> = {
  automatic_https_rewrites: { like: 'automatic_https_rewrites' },
  autominify: { like: 'minify' },
  content_converter: { like: 'content_converter' },
  email_obfuscation: { like: 'email_obfuscation' },
  fonts: { like: 'fonts' },
  mirage: { like: 'mirage' },
  opportunistic_encryption: { like: 'opportunistic_encryption' },
  polish: { like: 'polish' },
  redirects_for_ai_training: { like: 'redirects_for_ai_training' },
  request_body_buffering: 'bodies of requests stream to the origin, unless rules look at them',
  response_body_buffering: { like: 'response_buffering' },
  rocket_loader: { like: 'rocket_loader' },
  server_side_excludes: { like: 'server_side_exclude' },
  sxg: 'answers are not signed here',
};

/** The settings of a rule that are stored without effect, with the reason of each. */
export function listIdleSettings(
  parameters: ConfigurationParameters,
): readonly { name: string; reason: string }[] {
  return (Object.keys(parameters) as Name[]).flatMap((name) => {
    const why = idle[name];
    if (why === undefined || isOff(parameters[name])) return [];
    const reason = typeof why === 'string' ? why : fixedSettings.get(why.like)!.reason;
    return [{ name, reason }];
  });
}

function isOff(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isOff);
  return value === undefined || value === false || value === 'off';
}

/** The settings with an effect. Rules may have been stored before they were checked. */
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

/** The settings that rules of the zone can choose, so that they can be prepared. */
export function listConfigured(entryPoints: readonly Ruleset[]): ChosenSettings[] {
  return entryPoints
    .filter(({ phase }) => phase === 'http_config_settings')
    .flatMap(({ rules }) => rules.filter(({ enabled }) => enabled))
    .map(({ action_parameters }) => toSettings(action_parameters ?? {}));
}

/** Undefined if those of the zone apply. The last rule that sets a setting overrides earlier ones. */
export function findSettings(changes: readonly Change[] = []): ChosenSettings | undefined {
  let settings: ChosenSettings | undefined;
  for (const { effect } of changes)
    if (effect.kind === 'settings') settings = { ...settings, ...effect.settings };
  return settings;
}
